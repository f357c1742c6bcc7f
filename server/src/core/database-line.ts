import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { endingWhenSilent, servingRole } from './database.ts';

const reconnectMs = 1000;
/** A line over which nothing comes is asked so often whether it still stands, and has so long to say so. */
const askEveryMs = 15_000;
const patienceMs = 10_000;

export type DatabaseLine = { isConnected: () => boolean; close: () => Promise<void> };

export type LineOptions = {
  /** Whose notifications it hears. */
  channel: string;
  /**
   * Asked when it is opened: whether it holds (`is_held`) what it is to hold as long as it stands. It must not wait for that: a
   * connection that waits in the database does not notice that nobody is at its other end, and more would join it.
   */
  hold?: { text: string; values: unknown[] };
  /** Hears what a notification says. */
  onNews: (payload: string) => void;
  /** The line stands, for the first time or again; what was notified before is missed. */
  onOpen?: () => void;
  /** The line stands no more, and is being opened again unless it was closed. */
  onBreak?: () => void;
};

/**
 * A server process's own connection to the database, with the rights of those who serve, over which it hears
 * notifications. It is opened again when it breaks, and when it stands without being answered, which is how a network
 * that went away looks from here.
 */
export const keepDatabaseLine = (
  url: string,
  { channel, hold, onNews, onOpen = () => {}, onBreak = () => {} }: LineOptions,
): DatabaseLine => {
  // Asked for again, it changes nothing: so it also finds out whether the line stands.
  const listen = `listen ${channel}`;
  let client: pg.Client | undefined;
  let isConnected = false;
  let isClosed = false;

  /** Resolves when the line has ended, however it did. */
  const holdLine = async () => {
    const line = new pg.Client({
      connectionString: url,
      ...endingWhenSilent,
      options: `-c role=${servingRole} ${endingWhenSilent.options}`,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    });
    client = line;
    const ended = new Promise<void>((resolve) => {
      line.on('end', () => resolve());
    });
    line.on('error', () => {});
    line.on('notification', ({ payload = '' }) => onNews(payload));
    try {
      await line.connect();
      await line.query(listen);
      if (hold && !(await isHeldBy(line, hold))) throw new Error('Another connection still holds it');
      isConnected = true;
      onOpen();
      const asking = setInterval(() => void line.query(listen).catch(() => hangUp(line)), askEveryMs).unref();
      await ended;
      clearInterval(asking);
    } catch {
      hangUp(line);
    } finally {
      if (isConnected) {
        isConnected = false;
        onBreak();
      }
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

const isHeldBy = async (line: pg.Client, hold: pg.QueryConfig): Promise<boolean> => {
  const { rows } = await line.query<{ is_held: boolean }>(hold);
  return rows[0]?.is_held === true;
};

/** Ends a connection without saying goodbye, which a network that went away would keep waiting for an answer. */
const hangUp = (line: pg.Client) => {
  if ('connection' in line) (line.connection as pg.Connection).stream.destroy();
};
