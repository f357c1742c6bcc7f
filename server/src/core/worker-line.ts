import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** The class of the locks by which workers show that they are connected (migrations/0009_import_jobs.sql). */
const workerLocks = 82_746;
const reconnectMs = 1000;

export type WorkerLine = { isConnected: () => boolean; close: () => Promise<void> };

/**
 * A worker's own connection to the database, with the rights of those who serve. Over it the worker hears that jobs
 * have changed, and as long as it stands it holds the lock that shows the others that this worker lives. It is opened
 * again when it breaks; `onNews` is also called then, since nobody knows what was missed.
 */
export const keepWorkerLine = (url: string, worker: number, onNews: () => void): WorkerLine => {
  let client: pg.Client | undefined;
  let isConnected = false;
  let isClosed = false;

  /** Resolves when the line has ended, however it did. */
  const holdLine = async () => {
    const line = new pg.Client({ connectionString: url, options: '-c role=radwork_app', keepAlive: true });
    client = line;
    const ended = new Promise<void>((resolve) => {
      line.on('end', () => resolve());
    });
    line.on('error', () => {});
    line.on('notification', onNews);
    try {
      await line.connect();
      await line.query('listen job_changed');
      await line.query('select pg_advisory_lock($1, $2)', [workerLocks, worker]);
      isConnected = true;
      onNews();
      await ended;
    } catch {
      await line.end().catch(() => {});
    } finally {
      isConnected = false;
    }
  };

  const keep = async () => {
    while (!isClosed) {
      await holdLine();
      if (!isClosed) await wait(reconnectMs, undefined, { ref: false });
    }
  };
  void keep();

  return {
    isConnected: () => isConnected,
    close: async () => {
      isClosed = true;
      await client?.end().catch(() => {});
    },
  };
};
