import { createLimit } from './limit.ts';

type Shares = { most: number; share: number; queue: number };

type Share = { run: ReturnType<typeof createLimit>; held: number };

/**
 * Divides what a server does at once among its tenants: `most` together, no more than `share` for one, and no more than
 * `queue` pieces of work of one that wait or run. Throws what `refuse` makes for work beyond that. So whoever has much
 * or slow work is in nobody's way but their own. Those among whom it is divided may be others than tenants.
 */
export const createTenantShares = <Id = number>({ most, share, queue }: Shares) => {
  const together = createLimit(most);
  const shares = new Map<Id, Share>();
  return async <T>(tenantId: Id, work: () => Promise<T>, refuse: () => Error): Promise<T> => {
    const own = shares.get(tenantId) ?? { run: createLimit(share), held: 0 };
    if (own.held >= queue) throw refuse();
    shares.set(tenantId, own);
    own.held += 1;
    try {
      return await own.run(() => together(work));
    } finally {
      own.held -= 1;
      if (own.held === 0) shares.delete(tenantId);
    }
  };
};
