import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

/*
 * Copies rows with PostgreSQL's COPY in text format, which all versions of PostgreSQL and psql can read. pg implements
 * the protocol, but passes the data only to a query object with its own `submit` method.
 */

/** Methods of pg's connection that are missing in its types (pg/lib/connection.js). */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk: (chunk: Buffer) => void;
  endCopyFrom: () => void;
  sendCopyFail: (reason: string) => void;
};

/** Number of bytes of rows that are collected before they are passed to the reader. */
const handedOnAtOnce = 1 << 16;

const rowsIn = (commandTag: string): number => Number(/^COPY (\d+)/.exec(commandTag)?.[1] ?? Number.NaN);

/**
 * Streams the output of `copy … to stdout`. After the end of the stream, `rows` is the number of rows. Destroying the
 * stream early ends the connection.
 */
export const copyOut = (client: pg.ClientBase, statement: string): { text: Readable; rows: () => number } => {
  let connection: pg.Connection | undefined;
  let waiting: Buffer[] = [];
  let size = 0;
  let rows = Number.NaN;
  let isOver = false;
  const text = new Readable({
    read: () => connection?.stream.resume(),
    destroy: (error, done) => {
      if (!isOver) connection?.stream.destroy();
      done(error);
    },
  });
  const handOn = () => {
    if (size > 0 && !text.push(Buffer.concat(waiting))) connection?.stream.pause();
    waiting = [];
    size = 0;
  };
  client.query({
    submit: (opened: pg.Connection) => {
      connection = opened;
      opened.query(statement);
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      // Copies the chunk, because the parser reuses its buffer.
      waiting.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= handedOnAtOnce) handOn();
    },
    handleCommandComplete: ({ text: tag }: { text: string }) => {
      rows = rowsIn(tag);
    },
    handleReadyForQuery: () => {
      isOver = true;
      handOn();
      text.push(null);
      connection?.stream.resume();
    },
    handleError: (error: Error) => {
      isOver = true;
      text.destroy(error);
    },
  });
  return { text, rows: () => rows };
};

/**
 * Sends a source to `copy … from stdin` and returns the number of rows. Throws the error of the source or of the
 * database.
 */
export const copyIn = async (
  client: pg.ClientBase,
  statement: string,
  source: AsyncIterable<Buffer>,
): Promise<number> => {
  const done = Promise.withResolvers<number>();
  const stopping = new AbortController();
  let rows = Number.NaN;
  let cause: unknown;
  const send = async (connection: CopyConnection) => {
    try {
      for await (const chunk of source) {
        if (stopping.signal.aborted) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal: stopping.signal });
      }
      connection.endCopyFrom();
    } catch (error) {
      if (stopping.signal.aborted) return;
      cause = error;
      connection.sendCopyFail('the source broke off');
    }
  };
  client.query({
    submit: (connection: pg.Connection) => connection.query(statement),
    handleCopyInResponse: (connection: CopyConnection) => void send(connection),
    handleCommandComplete: ({ text: tag }: { text: string }) => {
      rows = rowsIn(tag);
    },
    handleReadyForQuery: () => done.resolve(rows),
    handleError: (error: Error) => {
      stopping.abort();
      done.reject(cause ?? error);
    },
  });
  return done.promise;
};
