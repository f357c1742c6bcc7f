import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { ProbeResult, Probes } from './probes.ts';
import type { Registry } from './registry.ts';

const answers = (result: ProbeResult<unknown>): number => ('error' in result ? 0 : 1);

/**
 * Reports whether database and store respond, and the free space. Collecting these metrics may write a test file to the
 * store.
 */
export const readProbes = ({ read }: Registry, probes: Probes, blobs: Pick<BlobStore, 'freeBytes'>): void => {
  read('radwork_up', 'Whether a dependency of the server answers: 1 or 0.', async () => [
    { labels: { part: 'database' }, value: answers(await probes.database()) },
    { labels: { part: 'store' }, value: answers(await probes.store()) },
  ]);
  read('radwork_store_free_bytes', 'Free space of the store. Not available for object stores.', async () => {
    const value = await blobs.freeBytes();
    return value === null ? [] : [{ labels: {}, value }];
  });
};
