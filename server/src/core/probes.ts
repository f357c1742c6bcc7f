import { setTimeout as wait } from 'node:timers/promises';
import type { BlobStore } from './blob-store.ts';
import { openProbePool } from './database.ts';

/** What a probe found: what it was after, or why not. */
export type Found<T> = { value: T } | { error: unknown };

export type Probes = {
  /** The names of the migrations that the database has seen. It has a second to answer. */
  database: () => Promise<Found<string[]>>;
  /** How many seconds it took to write a few bytes to the store for good. It has two. */
  store: () => Promise<Found<number>>;
  /** How many bytes are free in the store; null where it does not tell. It has a second. */
  free: () => Promise<Found<number | null>>;
  close: () => Promise<void>;
};

const databaseWithin = 1000;
const databaseEvery = 1000;
/** Whoever asks whether a server is ready waits for three seconds (deploy/Caddyfile), and has to hear which part is not. */
const storeWithin = 2000;
const freeWithin = 1000;
/** Of an object store, each writing is paid for. */
const storeEvery = 15_000;
const freeEvery = 5000;
const failedEvery = 1000;

/** Anybody may ask for what these find: however often that is, the database and the store are asked now and then. */
export const openProbes = (url: string, blobs: Pick<BlobStore, 'tryOut' | 'freeBytes'>): Probes => {
  const pool = openProbePool(url, databaseWithin);
  return {
    database: createProbe({ within: databaseWithin, every: databaseEvery }, async () => {
      const { rows } = await pool.query<{ name: string }>('select name from schema_migrations');
      return rows.map(({ name }) => name);
    }),
    store: createProbe({ within: storeWithin, every: storeEvery }, async () => {
      const began = performance.now();
      await blobs.tryOut();
      return (performance.now() - began) / 1000;
    }),
    free: createProbe({ within: freeWithin, every: freeEvery }, () => blobs.freeBytes()),
    close: () => pool.end(),
  };
};

/** Milliseconds: what takes longer counts as failed, and what was found is found again for a while; a failure not for long. */
type Times = { within: number; every: number };

/** Never asks twice at once: of what does not answer there is one question, however many wait for it. */
export const createProbe = <T>({ within, every }: Times, ask: () => Promise<T>): (() => Promise<Found<T>>) => {
  let last: { at: number; found: Found<T> } | undefined;
  let asking: Promise<Found<T>> | undefined;

  const askOnce = async (): Promise<Found<T>> => {
    const found = await ask().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    last = { at: performance.now(), found };
    asking = undefined;
    return found;
  };

  return async () => {
    const stands = last && 'error' in last.found ? Math.min(every, failedEvery) : every;
    if (last && !asking && performance.now() - last.at < stands) return last.found;
    asking ??= askOnce();
    const late = new AbortController();
    const tooLate = wait(within, undefined, { signal: late.signal }).then((): Found<T> => ({
      error: new Error(`There was no answer within ${within} ms`),
    }));
    tooLate.catch(() => {});
    return Promise.race([asking, tooLate]).finally(() => late.abort());
  };
};
