import type { NotNull } from 'kysely';
import type { StoredBlob } from '#core/blobs/blob-store.ts';
import type { Context } from '#core/context.ts';
import { systemSession } from '#core/access/scope.ts';
import { showRejected } from '#imaging/archive/rejection/show-rejected.ts';

/** The bytes that the rows of a tenant with this SHA-256 describe. `size` is in bytes. */
export type DescribedBytes = { sha256: string; size: number; isMissing: boolean };

/** A SHA-256 that occurs in the store, in the rows of the tenant, or in both. */
export type ComparedFile = { sha256: string; blob: StoredBlob | undefined; row: DescribedBytes | undefined };

type Archive = Pick<Context, 'blobs' | 'scopes'>;

const rowsAtOnce = 1000;

/**
 * Compares the store of a tenant with its rows, in the order of hashes and in constant memory. Uploads continue at the
 * same time, so check a difference again before acting on it.
 */
export async function* compareTenant(archive: Archive, tenantId: number): AsyncGenerator<ComparedFile> {
  const blobs = inOrder(archive.blobs.list(tenantId));
  const rows = describedBytes(archive, tenantId);
  try {
    let blob = await nextOf(blobs);
    let row = await nextOf(rows);
    while (blob || row) {
      const sha256 = lesser(blob?.sha256, row?.sha256);
      const isInStore = blob?.sha256 === sha256;
      const isInRows = row?.sha256 === sha256;
      yield { sha256, blob: isInStore ? blob : undefined, row: isInRows ? row : undefined };
      if (isInStore) blob = await nextOf(blobs);
      if (isInRows) row = await nextOf(rows);
    }
  } finally {
    await blobs.return(undefined);
    await rows.return(undefined);
  }
}

const nextOf = async <T>(values: AsyncGenerator<T, void>): Promise<T | undefined> => {
  const { value, done } = await values.next();
  return done ? undefined : value;
};

const lesser = (one: string | undefined, other: string | undefined): string => {
  if (one === undefined || other === undefined) return one ?? other ?? '';
  return one < other ? one : other;
};

/** Throws when a store lists its files out of order. Otherwise nearly every file would look missing. */
async function* inOrder(blobs: AsyncIterable<StoredBlob>): AsyncGenerator<StoredBlob, void> {
  let last = '';
  for await (const blob of blobs) {
    if (blob.sha256 <= last) throw new Error('The store does not list its files in hash order');
    last = blob.sha256;
    yield blob;
  }
}

async function* describedBytes({ scopes }: Archive, tenantId: number): AsyncGenerator<DescribedBytes, void> {
  let last: Buffer = Buffer.alloc(0);
  for (;;) {
    const page = await scopes.inTenant(systemSession(tenantId), async ({ db }) => {
      await showRejected({ db });
      return db
        .selectFrom('stored_bytes')
        .distinctOn('sha256')
        .select(['sha256', 'size', 'missing_since'])
        .$narrowType<{ sha256: NotNull; size: NotNull }>()
        .where('sha256', '>', last)
        .orderBy('sha256')
        .limit(rowsAtOnce)
        .execute();
    });
    for (const { sha256, size, missing_since } of page) {
      yield { sha256: sha256.toString('hex'), size, isMissing: missing_since !== null };
    }
    const end = page.at(-1);
    if (!end || page.length < rowsAtOnce) return;
    last = end.sha256;
  }
}
