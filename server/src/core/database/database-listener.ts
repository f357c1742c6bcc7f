import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { endingWhenSilent, servingRole } from './database.ts';

const reconnectMs = 1000;
/** Milliseconds between checks of a silent connection, and milliseconds within which the reply must arrive. */
const askEveryMs = 15_000;
const patienceMs = 10_000;

export type DatabaseLine = { isConnected: () => boolean; close: () => Promise<void> };

export type LineOptions = {
  /** The channel whose notifications the connection receives. */
  channel: string;
  /**
   * A query that runs after connecting. Its column `is_held` tells whether the connection holds its lock. The query
   * must not wait for the lock: PostgreSQL does not notice when a waiting client has gone, so waiting clients would
   * accumulate.
   */
  lockQuery?: { text: string; values: unknown[] };
  /** Receives the payload of a notification. */
  onNotification: (payload: string) => void;
  /** Called after each connection. Earlier notifications may have been missed. */
  onOpen?: () => void;
  /** Called when the connection is lost. Unless the listener was closed, it connects again. */
  onBreak?: () => void;
};

/**
 * Keeps a database connection of this process, with the serving role, that receives notifications. Connects again when
 * the connection breaks or does not reply, because a lost network causes no error.
 */
export const openDatabaseListener = (
  url: string,
  { channel, lockQuery, onNotification, onOpen = () => {}, onBreak = () => {} }: LineOptions,
): DatabaseLine => {
  // Repeating LISTEN changes nothing, so it can check the connection.
  const listen = `listen ${channel}`;
  let client: pg.Client | undefined;
  let isConnected = false;
  let isClosed = false;

  /** Resolves when the connection has ended for any reason. */
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
    line.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await line.connect();
      await line.query(listen);
      if (lockQuery && !(await isHeldBy(line, lockQuery))) throw new Error('Another connection still holds the lock');
      isConnected = true;
      onOpen();
      const probeTimer = setInterval(() => void line.query(listen).catch(() => hangUp(line)), askEveryMs).unref();
      await ended;
      clearInterval(probeTimer);
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

/**
 * Closes a connection without the message that ends the protocol. On a lost network, that message would get no reply.
 */
const hangUp = (line: pg.Client) => {
  if ('connection' in line) (line.connection as pg.Connection).stream.destroy();
};
