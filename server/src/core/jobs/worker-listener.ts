import { type DatabaseLine, openDatabaseListener } from '#core/database/database-listener.ts';

/** The class of the locks that show which workers are connected (migrations/0009_import_jobs.sql). */
const workerLocks = 82_746;

/**
 * Opens the database connection of a worker. It receives notifications of jobs and holds the lock that shows that the
 * worker is running. `onOpen` runs after each connect, because notifications may have been missed. If the connection
 * breaks unnoticed, the database holds the lock until it closes that connection.
 */
export const openWorkerListener = (
  url: string,
  worker: number,
  onNotification: () => void,
  onOpen = onNotification,
): DatabaseLine =>
  openDatabaseListener(url, {
    channel: 'job_changed',
    lockQuery: { text: 'select pg_try_advisory_lock($1, $2) as is_held', values: [workerLocks, worker] },
    onNotification,
    onOpen,
  });
