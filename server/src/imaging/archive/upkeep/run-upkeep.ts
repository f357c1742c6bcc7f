import { sql } from 'kysely';
import { copiedDatabase, isCopied } from '#core/installation/copied-database.ts';
import type { Context } from '#core/context.ts';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { purgeRecycleBin } from './purge-recycle-bin.ts';
import { type SweepOptions, sweepTenant, type SweepCounts } from './sweep-tenant.ts';
import { storedTenants } from './stored-tenants.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

/** Work that the upkeep did for all tenants. `leftovers` counts unfinished files of servers that have ended. */
export type Upkeep = SweepCounts & { purged: number; leftovers: number };

type Log = { error: (facts: object, text: string) => void; info: (facts: object, text: string) => void };

const everyMs = 3_600_000;

/**
 * Runs the upkeep of all tenants once: removes what crashes have left, marks missing files and empties recycle bins.
 * Undefined when another process is running the upkeep. A failure in one tenant is logged and does not stop the others.
 * The first failure is thrown at the end.
 */
export const runUpkeep = (archive: Archive, options: SweepOptions = {}, log?: Log): Promise<Upkeep | undefined> =>
  inOneProcess(archive.scopes, async () => {
    const done: Upkeep = {
      removed: 0,
      missing: 0,
      found: 0,
      purged: 0,
      leftovers: await archive.blobs.removeLeftovers(),
    };
    const lookAfter = async (tenantId: number) => {
      done.purged += await purgeRecycleBin(archive, tenantId);
      const { removed, missing, found } = await sweepTenant(archive, tenantId, options);
      done.removed += removed;
      done.missing += missing;
      done.found += found;
      if (missing > 0) log?.error({ tenantId, instances: missing }, 'files of instances are missing from the store');
    };
    if (await archive.scopes.withoutTenant(isCopied)) log?.error({}, copiedDatabase);
    const failures: unknown[] = [];
    for (const tenantId of await storedTenants(archive.scopes)) {
      options.signal?.throwIfAborted();
      await lookAfter(tenantId).catch((error: unknown) => {
        options.signal?.throwIfAborted();
        log?.error({ tenantId, err: error }, 'archive upkeep of a tenant failed');
        failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
    return done;
  });

/**
 * Runs work unless another process runs it. The lock is held by a separate transaction, so it is released whenever this
 * process ends.
 */
const inOneProcess = <T>(scopes: Scopes, work: () => Promise<T>): Promise<T | undefined> =>
  scopes.withoutTenant(async (db) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('radwork upkeep', 0)) as "isOurs"`.execute(db);
    return rows[0]?.isOurs ? work() : undefined;
  });

/** Runs the upkeep now and every hour. Returns a function that stops it after the current step. */
export const startUpkeep = (archive: Archive, log: Log): (() => Promise<void>) => {
  const ending = new AbortController();
  const stop = startPeriodicTask({
    everyMs,
    runOnce: async () => {
      const done = await runUpkeep(archive, { signal: ending.signal }, log);
      if (done) log.info(done, 'archive upkeep finished');
    },
    onError: (error) => {
      if (!ending.signal.aborted) log.error({ err: error }, 'archive upkeep failed');
    },
  });
  return () => {
    ending.abort();
    return stop();
  };
};
