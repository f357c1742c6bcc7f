import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

/*
 * PostgreSQL's COPY in its text format, which every version reads that another one wrote, and psql too. pg speaks that
 * part of the protocol and leaves what to do with it to whoever submits a query of their own.
 */

/** What pg's connection can do besides what its types say (pg/lib/connection.js). */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk: (chunk: Buffer) => void;
  endCopyFrom: () => void;
  sendCopyFail: (reason: string) => void;
};

/** Rows come one by one; they are handed on in pieces of so many bytes. */
const handedOnAtOnce = 1 << 16;

const rowsIn = (commandTag: string): number => Number(/^COPY (\d+)/.exec(commandTag)?.[1] ?? Number.NaN);

/**
 * What a `copy … to stdout` says, as it is read, and how many rows it was, once all of it has been read. To stop reading
 * before ends the connection.
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
      // Concatenated before the parser uses its buffer for what comes next.
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

/** Gives a `copy … from stdin` all of a source, and returns how many rows it was. Throws the error of either. */
export const copyIn = async (
  client: pg.ClientBase,
  statement: string,
  source: AsyncIterable<Buffer>,
): Promise<number> => {
  const done = Promise.withResolvers<number>();
  const refused = new AbortController();
  let rows = Number.NaN;
  let cause: unknown;
  const send = async (connection: CopyConnection) => {
    try {
      for await (const chunk of source) {
        if (refused.signal.aborted) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal: refused.signal });
      }
      connection.endCopyFrom();
    } catch (error) {
      if (refused.signal.aborted) return;
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
      refused.abort();
      done.reject(cause ?? error);
    },
  });
  return done.promise;
};
