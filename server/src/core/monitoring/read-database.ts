import type pg from 'pg';
import { openProbePool } from '#core/database/database.ts';
import type { Registry } from './registry.ts';

/** Milliseconds within which the database must reply. Programs that collect metrics wait ten seconds. */
const answersWithin = 3000;

type JobFigures = { queue: string; later: number; due: number; running: number; oldest_due_seconds: number };
type AuditFigures = { sealed: number; unsealed: number; oldest_unsealed_seconds: number };
type Figures = { jobs: JobFigures[]; audit: AuditFigures[] };

/** Reads the state of the serving pool. */
export const readPool = (
  { read }: Registry,
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
): void => {
  read('radwork_database_connections', 'Database connections, and calls waiting for one.', async () => [
    { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'waiting' }, value: pool.waitingCount },
  ]);
};

/**
 * Reads metrics of jobs and audit for all tenants. Every server reports the same values, so operators must take the
 * maximum of all servers, not the sum. Uses a separate connection, because all serving connections may be busy. Returns
 * a function that closes it.
 */
export const readDatabase = ({ read }: Registry, url: string): (() => Promise<void>) => {
  const pool = openProbePool(url, answersWithin);
  const readFigures = createShared(async (): Promise<Figures> => {
    const jobs = await pool.query<JobFigures>('select * from job_figures()');
    const audit = await pool.query<AuditFigures>('select * from audit_figures()');
    return { jobs: jobs.rows, audit: audit.rows };
  });
  const ofAudit = (pick: (figures: AuditFigures) => number) => async () =>
    (await readFigures()).audit.map((figures) => ({ labels: {}, value: pick(figures) }));

  read('radwork_jobs', 'Jobs by queue: due, running, or scheduled for later.', async () =>
    (await readFigures()).jobs.flatMap(({ queue, later, due, running }) => [
      { labels: { queue, state: 'due' }, value: due },
      { labels: { queue, state: 'running' }, value: running },
      { labels: { queue, state: 'later' }, value: later },
    ]),
  );
  read('radwork_jobs_oldest_due_seconds', 'Time since the oldest job of a queue was due.', async () =>
    (await readFigures()).jobs.map(({ queue, oldest_due_seconds }) => ({
      labels: { queue },
      value: oldest_due_seconds,
    })),
  );
  read(
    'radwork_audit_sealed_entries',
    'Audit entries sealed in a chain.',
    ofAudit(({ sealed }) => sealed),
  );
  read(
    'radwork_audit_unsealed_entries',
    'Audit entries not yet sealed.',
    ofAudit(({ unsealed }) => unsealed),
  );
  read(
    'radwork_audit_oldest_unsealed_seconds',
    'Age of the oldest unsealed audit entry. More than a minute is a fault.',
    ofAudit(({ oldest_unsealed_seconds }) => oldest_unsealed_seconds),
  );
  return () => pool.end();
};

/** Concurrent requests share one query. */
const createShared = <T>(readOnce: () => Promise<T>): (() => Promise<T>) => {
  let inFlight: Promise<T> | undefined;
  return () => {
    inFlight ??= readOnce().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };
};
