import type { BlobStore, IncomingBlob } from '#core/blobs/blob-store.ts';
import type { Metrics } from './metrics.ts';

type StoreMetrics = Pick<Metrics, 'stored' | 'storeFailed'>;

/** Wraps a store and measures the time and failures of its writes. */
export const measuredStore = (blobs: BlobStore, metrics: StoreMetrics): BlobStore => {
  const timed = async (operation: 'sync' | 'keep' | 'probe', work: () => Promise<void>): Promise<void> => {
    const began = performance.now();
    try {
      await work();
    } catch (error) {
      metrics.storeFailed(operation);
      throw error;
    }
    metrics.stored(operation, (performance.now() - began) / 1000);
  };
  /** Changes the same object, because the store recognizes received bytes by object identity. */
  const measured = (blob: IncomingBlob): IncomingBlob => {
    const { sync } = blob;
    return Object.assign(blob, { sync: () => timed('sync', sync) });
  };
  return {
    ...blobs,
    receive: async (source, limit, tenantId) => measured(await blobs.receive(source, limit, tenantId)),
    keep: (tenantId, incoming) => timed('keep', () => blobs.keep(tenantId, incoming)),
    writeProbe: () => timed('probe', () => blobs.writeProbe()),
  };
};
