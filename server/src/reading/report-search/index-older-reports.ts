import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '#core/context.ts';
import { isDeadlock } from '#core/database/database.ts';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { storedTenants } from '#imaging/archive/upkeep/stored-tenants.ts';
import { indexReports } from '#reading/report-records/report-texts.ts';

type Stored = Pick<Context, 'scopes'>;

/**
 * Version of the rules by which a text is divided into words. Increase it when the index of stored reports must be
 * written again. The next start of the server then does so.
 */
export const rulesVersion = 1;

/** Number of reports of one transaction. If the server stops, the next server repeats at most this many. */
const reportsAtOnce = 100;
/** Milliseconds between transactions, so that readers go first. */
const pause = 20;

/** Indexes the reports that were written before the index. Returns a function that stops. */
export const startIndexing = (stored: Stored, onError: (error: unknown) => void): (() => Promise<void>) => {
  const ending = new AbortController();
  const stop = startPeriodicTask({
    everyMs: 60_000,
    runOnce: () => indexAll(stored, { signal: ending.signal }),
    onError,
  });
  return () => {
    ending.abort();
    return stop();
  };
};

type Options = { signal?: AbortSignal; version?: number };

/** Indexes the reports of all tenants. Continues where an earlier call or server has stopped. */
export const indexAll = async (stored: Stored, { signal, version = rulesVersion }: Options = {}): Promise<void> => {
  for (const tenantId of await storedTenants(stored.scopes)) {
    let isMore = true;
    while (isMore && !signal?.aborted) {
      isMore = await indexNext(stored, tenantId, version).catch((error: unknown) => {
        if (isDeadlock(error)) return true;
        throw error;
      });
      if (isMore) await wait(pause);
    }
  }
};

/** Indexes the next reports of a tenant. Returns false when no report is left, or when another server is indexing. */
export const indexNext = (
  { scopes }: Stored,
  tenantId: number,
  version = rulesVersion,
  atOnce = reportsAtOnce,
): Promise<boolean> =>
  scopes.inTenant(systemSession(tenantId), async (scope) => {
    const { db } = scope;
    await begin(scope, version);
    const job = await db.selectFrom('report_text_indexings').selectAll().forUpdate().skipLocked().executeTakeFirst();
    if (!job || job.finished_at !== null || job.rules_version !== version) return false;
    // Locks the reports, so that a text that is saved meanwhile is indexed after this one.
    const rows = await db
      .selectFrom('reports')
      .select('id')
      .$if(job.last_report_id !== null, (rest) => rest.where('id', '>', job.last_report_id ?? ''))
      .orderBy('id')
      .limit(atOnce)
      .forUpdate()
      .execute();
    await indexReports(
      scope,
      rows.map(({ id }) => id),
    );
    const isMore = rows.length === atOnce;
    await db
      .updateTable('report_text_indexings')
      .set({
        last_report_id: rows.at(-1)?.id ?? job.last_report_id,
        ...(!isMore && { finished_at: sql`now()` }),
      })
      .execute();
    return isMore;
  });

const begin = async ({ db }: Scope, version: number): Promise<void> => {
  await sql`
    insert into report_text_indexings as i (rules_version) values (${version})
    on conflict (tenant_id) do update set rules_version = excluded.rules_version, last_report_id = null, finished_at = null
    where i.rules_version < excluded.rules_version`.execute(db);
};

/** Whether all reports of the tenant are indexed. New reports always are. */
export const isIndexComplete = async ({ db }: Scope): Promise<boolean> => {
  const job = await db.selectFrom('report_text_indexings').select('finished_at').executeTakeFirst();
  return Boolean(job?.finished_at);
};
