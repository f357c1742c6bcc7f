import { setTimeout as wait } from 'node:timers/promises';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { openProbePool } from '#core/database/database.ts';

/** The result of a probe, or why it failed. */
export type ProbeResult<T> = { value: T } | { error: unknown };

export type Probes = {
  /** Returns the names of the applied migrations. Time limit: one second. */
  database: () => Promise<ProbeResult<string[]>>;
  /** Returns the seconds needed to write a few bytes durably to the store. Time limit: two seconds. */
  store: () => Promise<ProbeResult<number>>;
  /** Returns the free bytes of the store; null when unknown. Time limit: one second. */
  free: () => Promise<ProbeResult<number | null>>;
  close: () => Promise<void>;
};

const databaseWithin = 1000;
const databaseEvery = 1000;
/**
 * Milliseconds. A proxy waits three seconds for a readiness check (deploy/Caddyfile). By then, the check must know
 * which part failed.
 */
const storeWithin = 2000;
const freeWithin = 1000;
/**
 * Milliseconds for which a result is reused. Every write to an object store costs money, so the store is probed rarely.
 */
const storeEvery = 15_000;
const freeEvery = 5000;
const failedEvery = 1000;

/** Opens the probes. Results are reused for a while, because anyone may request them as often as they like. */
export const openProbes = (url: string, blobs: Pick<BlobStore, 'writeProbe' | 'freeBytes'>): Probes => {
  const pool = openProbePool(url, databaseWithin);
  return {
    database: createProbe({ within: databaseWithin, every: databaseEvery }, async () => {
      const { rows } = await pool.query<{ name: string }>('select name from schema_migrations');
      return rows.map(({ name }) => name);
    }),
    store: createProbe({ within: storeWithin, every: storeEvery }, async () => {
      const began = performance.now();
      await blobs.writeProbe();
      return (performance.now() - began) / 1000;
    }),
    free: createProbe({ within: freeWithin, every: freeEvery }, () => blobs.freeBytes()),
    close: () => pool.end(),
  };
};

/**
 * Milliseconds. `within`: a probe that takes longer fails. `every`: a success is reused for this time. A failure is
 * reused for a shorter time.
 */
type Times = { within: number; every: number };

/** Creates a probe. Its callers share one run, so it never runs twice at once. */
export const createProbe = <T>(
  { within, every }: Times,
  runProbe: () => Promise<T>,
): (() => Promise<ProbeResult<T>>) => {
  let last: { at: number; result: ProbeResult<T> } | undefined;
  let inFlight: Promise<ProbeResult<T>> | undefined;

  const askOnce = async (): Promise<ProbeResult<T>> => {
    const result = await runProbe().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    last = { at: performance.now(), result };
    inFlight = undefined;
    return result;
  };

  return async () => {
    const validFor = last && 'error' in last.result ? Math.min(every, failedEvery) : every;
    if (last && !inFlight && performance.now() - last.at < validFor) return last.result;
    inFlight ??= askOnce();
    const late = new AbortController();
    const tooLate = wait(within, undefined, { signal: late.signal }).then((): ProbeResult<T> => ({
      error: new Error(`No answer within ${within} ms`),
    }));
    tooLate.catch(() => {});
    return Promise.race([inFlight, tooLate]).finally(() => late.abort());
  };
};
