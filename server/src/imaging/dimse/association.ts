import { setImmediate } from 'node:timers/promises';
import { commandField, type CommandSet, readCommandSet, writeCommandSet } from './command-set.ts';
import type { Connection } from './connection.ts';
import { type DataValue, pduType, readData, writeAbort, writeData, writeReleaseRequest } from './pdu.ts';
import { ConnectionLost, ProtocolError, TooLong } from './protocol-error.ts';

/** A presentation context that both sides accepted. */
export type Context = { id: number; abstractSyntax: string; transferSyntax: string };

/** The bytes of a data set, as they arrive. They can be read only once. */
export type IncomingDataSet = AsyncIterable<Buffer> & {
  /** Discards the unread bytes. Throws TooLong when there are more than `mostBytes`. */
  drain: (mostBytes: number) => Promise<void>;
};

/** A command and its data set. Read or drain the data set before receiving the next message. */
export type Message = { context: Context; command: CommandSet; dataSet: IncomingDataSet | undefined };

export type Association = ReturnType<typeof createAssociation>;

export type AssociationTerms = {
  contexts: ReadonlyMap<number, Context>;
  /** The longest P-DATA unit to send. 0 means any length. */
  mostBytesThere: number;
  /** The longest P-DATA unit to read, as announced. */
  mostBytesHere: number;
};

/** Milliseconds within which the next piece of a message must arrive. */
const longestPause = 60_000;
const longestCommand = 64 << 10;
/** Maximum number of bytes in a unit that we send. Longer units are not faster. */
const longestUnit = 256 << 10;
/** Minimum number of bytes in a unit. Shorter units would consist mostly of headers. */
const shortestUnit = 128;
const unitOverhead = 6;

/**
 * Reads and writes messages of an association (PS3.7 §6.3, PS3.8 Annex E). Messages are read one by one and data sets
 * in pieces, so memory contains at most one unit.
 */
export const createAssociation = (connection: Connection, terms: AssociationTerms) => {
  const longestThere = unitLength(terms.mostBytesThere);
  let values: DataValue[] = [];
  let usedValues = 0;

  /** Returns the next piece, or undefined when the other side asks to release the association. */
  const next = async (milliseconds: number): Promise<DataValue | undefined> => {
    for (;;) {
      const value = values[usedValues];
      if (value) {
        usedValues += 1;
        return value;
      }
      values = [];
      usedValues = 0;
      const { type, body } = await connection.read(terms.mostBytesHere, milliseconds);
      if (type === pduType.releaseRequest) return undefined;
      if (type === pduType.abort) throw new ConnectionLost('The other side aborted the association');
      if (type !== pduType.data) throw new ProtocolError('Association request inside an open association');
      values = readData(body);
    }
  };

  const nextOf = async (contextId: number, isCommand: boolean): Promise<DataValue> => {
    const value = await next(longestPause);
    if (value?.contextId === contextId && value.isCommand === isCommand) return value;
    throw new ProtocolError('A message interrupts another message');
  };

  const readCommand = async (first: DataValue): Promise<CommandSet> => {
    if (!first.isCommand) throw new ProtocolError('Data set without a command');
    const gathering = startGathering(longestCommand, 'The command is too long');
    gathering.add(first.bytes);
    for (let last = first; !last.isLast;) {
      last = await nextOf(first.contextId, true);
      gathering.add(last.bytes);
    }
    return readCommandSet(gathering.whole());
  };

  const sendPiece = async (context: Context, isCommand: boolean, bytes: Buffer, endsHere = true): Promise<void> => {
    const longest = longestThere - unitOverhead;
    for (let at = 0; at === 0 || at < bytes.length; at += longest) {
      const chunk = bytes.subarray(at, at + longest);
      const isLast = endsHere && at + longest >= bytes.length;
      await connection.write(writeData({ contextId: context.id, isCommand, isLast, bytes: chunk }));
    }
  };

  return {
    contexts: terms.contexts,

    /**
     * Returns the next message, or undefined when the other side releases the association. Throws when no message
     * begins within this time.
     */
    receive: async (milliseconds: number): Promise<Message | undefined> => {
      const first = await next(milliseconds);
      if (!first) return undefined;
      const context = terms.contexts.get(first.contextId);
      if (!context) throw new ProtocolError('The presentation context was not accepted');
      const command = await readCommand(first);
      const dataSet = command.hasDataSet ? incoming(() => nextOf(context.id, false)) : undefined;
      return { context, command, dataSet };
    },

    /**
     * Whether the other side has canceled this message (C-CANCEL, PS3.7 §9.3.2.3). Lets other work run first. Throws
     * ProtocolError for any other message, because only one operation at a time was negotiated.
     */
    isCancelled: async (messageId: number | undefined): Promise<boolean> => {
      await setImmediate();
      if (usedValues === values.length && !connection.hasArrived()) return false;
      const value = await next(longestPause);
      if (!value) throw new ProtocolError('The association was released during an operation');
      const command = await readCommand(value);
      if (command.CommandField !== commandField.cancel)
        throw new ProtocolError('A new message arrived before the previous answer');
      return command.MessageIDBeingRespondedTo === messageId;
    },

    /** Sends a message. The data set may come in pieces. */
    send: async (
      context: Context,
      command: Omit<CommandSet, 'hasDataSet'>,
      dataSet?: Buffer | AsyncIterable<Buffer>,
    ): Promise<void> => {
      await sendPiece(context, true, writeCommandSet({ ...command, hasDataSet: dataSet !== undefined }));
      if (Buffer.isBuffer(dataSet)) return sendPiece(context, false, dataSet);
      if (!dataSet) return;
      // Sends a piece only when the next one has arrived or the data set has ended, because the last piece is marked.
      let buffered: Buffer = Buffer.alloc(0);
      for await (const chunk of dataSet) {
        if (buffered.length > 0) await sendPiece(context, false, buffered, false);
        buffered = chunk;
      }
      await sendPiece(context, false, buffered);
    },

    /** Releases an association: asks the other side and waits a short time for the answer. */
    release: async (milliseconds: number): Promise<void> => {
      await connection.write(writeReleaseRequest());
      const { type } = await connection.read(terms.mostBytesHere, milliseconds);
      connection.end(type === pduType.releaseResponse ? undefined : writeAbort());
    },

    abort: (): void => connection.end(writeAbort()),

    /** Closes the connection. A read or write that waits for the other side then throws this error. */
    fail: connection.fail,
  };
};

const unitLength = (mostBytesThere: number): number => {
  if (mostBytesThere === 0) return longestUnit;
  if (mostBytesThere < shortestUnit) throw new ProtocolError('The other side accepts only tiny messages');
  return Math.min(mostBytesThere, longestUnit);
};

const incoming = (nextValue: () => Promise<DataValue>): IncomingDataSet => {
  let isComplete = false;
  const nextPiece = async (): Promise<Buffer | undefined> => {
    if (isComplete) return undefined;
    const { bytes, isLast } = await nextValue();
    isComplete = isLast;
    return bytes;
  };
  return {
    async *[Symbol.asyncIterator]() {
      for (let chunk = await nextPiece(); chunk; chunk = await nextPiece()) yield chunk;
    },
    drain: async (mostBytes) => {
      let drained = 0;
      for (let chunk = await nextPiece(); chunk; chunk = await nextPiece()) {
        drained += chunk.length;
        if (drained > mostBytes) throw new TooLong('The data set has no end');
      }
    },
  };
};

/** Reads the whole data set of a query. Throws ProtocolError when it has more than `mostBytes`. */
export const readWhole = async (dataSet: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer> => {
  const gathering = startGathering(mostBytes, 'The identifier is too long');
  for await (const chunk of dataSet) gathering.add(chunk);
  return gathering.whole();
};

/**
 * Maximum number of pieces in one command or identifier. More small pieces would need far more memory than their bytes.
 */
const mostPieces = 4096;

/**
 * Gathers pieces into one buffer. Throws ProtocolError with the message `words` when there are too many bytes or
 * pieces.
 */
const startGathering = (mostBytes: number, words: string) => {
  const chunks: Buffer[] = [];
  let length = 0;
  return {
    add: (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > mostBytes || chunks.length > mostPieces) throw new ProtocolError(words);
    },
    whole: (): Buffer => Buffer.concat(chunks),
  };
};
