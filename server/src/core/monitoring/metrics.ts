import { createRegistry, type Registry } from './registry.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const quick = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const ofDisks = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** An HTTP reply. `route` is the template of the URL; undefined when no route matched. */
type HttpReply = { method: string; route: string | undefined; status: number; seconds: number };

/**
 * Creates the metrics of the server for all tenants together. Labels have few values, all defined in the code. They
 * contain no name of a tenant, a patient or another system.
 */
export const createMetrics = (registry: Registry = createRegistry()) => {
  const answered = registry.histogram(
    'radwork_http_request_duration_seconds',
    'Duration of calls, to the end of the answer.',
    quick,
  );
  const refusalCounter = registry.counter(
    'radwork_http_refused_total',
    'Calls refused because of the caller, by error code.',
  );
  const tooMany = registry.counter('radwork_http_too_many_calls_total', 'Calls refused by a call limit, by limit.');
  const instances = registry.counter('radwork_ingest_instances_total', 'DICOM instances stored.');
  const bytes = registry.counter('radwork_ingest_bytes_total', 'Bytes of the DICOM instances stored.');
  const notTaken = registry.counter('radwork_ingest_refused_total', 'Files refused, by reason.');
  const stored = registry.histogram('radwork_store_write_seconds', 'Duration of writes to the store.', ofDisks);
  const storeFailed = registry.counter('radwork_store_errors_total', 'Failed writes to the store.');
  const remote = registry.counter('radwork_remote_calls_total', 'Requests to remote archives, by outcome.');

  return {
    registry,
    answered: ({ method, route, status, seconds }: HttpReply): void => {
      const known = route === undefined ? { method: 'other', route: 'none' } : { method, route };
      answered.observe({ ...known, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
    /** A call was refused. `error` is the code of the Problem. */
    refused: (error: string): void => refusalCounter.add({ error }),
    /**
     * A call exceeded a limit. The labels are the kind of call, and whether it was counted by session, tenant or
     * address (call-limits.ts).
     */
    tooManyCalls: ({ of, by }: { of: string; by: string }): void => tooMany.add({ of, by }),
    /** A file was stored, or was already in the store. */
    tookIn: (size: number, isNew: boolean): void => {
      const labels = { new: isNew ? 'yes' : 'no' };
      instances.add(labels);
      bytes.add(labels, size);
    },
    /** A file was refused. `reason` is a name in imaging/archive/store/failure-reasons.ts. */
    didNotTake: (reason: string): void => notTaken.add({ reason }),
    /** One step of storing took this long: `sync` of a file, `keep` of a batch, or `probe` of a few bytes. */
    stored: (operation: 'sync' | 'keep' | 'probe', seconds: number): void => stored.observe({ operation }, seconds),
    storeFailed: (operation: 'sync' | 'keep' | 'probe'): void => storeFailed.add({ operation }),
    /** Another archive was called. `outcome` is "ok" or the cause of a RemoteError. */
    askedRemote: (labels: { protocol: string; operation: string; outcome: string }): void => remote.add(labels),
  };
};
