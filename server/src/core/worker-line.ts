import { type DatabaseLine, keepDatabaseLine } from './database-line.ts';

/** The class of the locks by which workers show that they are connected (migrations/0009_import_jobs.sql). */
const workerLocks = 82_746;

/**
 * A worker's own line to the database. Over it the worker hears that jobs have changed, and as long as it stands it
 * holds the lock that shows the others that this worker lives. `onOpen` is called each time that it stands, since nobody
 * knows then what was missed. A line that broke without the database's notice has the lock until it is given up there.
 */
export const keepWorkerLine = (url: string, worker: number, onNews: () => void, onOpen = onNews): DatabaseLine =>
  keepDatabaseLine(url, {
    channel: 'job_changed',
    hold: { text: 'select pg_try_advisory_lock($1, $2) as is_held', values: [workerLocks, worker] },
    onNews,
    onOpen,
  });
