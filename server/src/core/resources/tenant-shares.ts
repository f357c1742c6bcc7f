import { createLimit } from './concurrency-limit.ts';

type Shares = { most: number; share: number; queue: number };

type Share = { run: ReturnType<typeof createLimit>; pending: number };

/**
 * Divides the parallel work of a server among tenants. At most `most` pieces of work run in total, and at most `share`
 * of one tenant. `queue` pieces of one tenant may run or wait; for any more, throws the error of `refuse`. A tenant
 * with much or slow work delays only itself. Keys other than tenants are possible.
 */
export const createTenantShares = <Id = number>({ most, share, queue }: Shares) => {
  const together = createLimit(most);
  const shares = new Map<Id, Share>();
  return async <T>(tenantId: Id, work: () => Promise<T>, refuse: () => Error): Promise<T> => {
    const own = shares.get(tenantId) ?? { run: createLimit(share), pending: 0 };
    if (own.pending >= queue) throw refuse();
    shares.set(tenantId, own);
    own.pending += 1;
    try {
      return await own.run(() => together(work));
    } finally {
      own.pending -= 1;
      if (own.pending === 0) shares.delete(tenantId);
    }
  };
};
