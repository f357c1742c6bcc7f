import { setImmediate } from 'node:timers/promises';
import { commandField, type CommandSet, readCommandSet, writeCommandSet } from './command-set.ts';
import type { Connection } from './connection.ts';
import { type DataValue, pduType, readData, writeAbort, writeData, writeReleaseRequest } from './pdu.ts';
import { ConnectionLost, ProtocolError, TooLong } from './protocol-error.ts';

/** A presentation context that both sides agreed on. */
export type Context = { id: number; abstractSyntax: string; transferSyntax: string };

/** The bytes of a data set as they arrive. They can be read once. */
export type IncomingDataSet = AsyncIterable<Buffer> & {
  /** Reads what nobody has read and throws it away. Throws TooLong when that is more than the bytes given. */
  drain: (mostBytes: number) => Promise<void>;
};

/** A command, and the data set after it, which has to be read or drained before the next message is asked for. */
export type Message = { context: Context; command: CommandSet; dataSet: IncomingDataSet | undefined };

export type Association = ReturnType<typeof createAssociation>;

export type AssociationTerms = {
  contexts: ReadonlyMap<number, Context>;
  /** The longest P-DATA unit that is sent; 0 for any. */
  mostBytesThere: number;
  /** The longest P-DATA unit that is read, as has been announced. */
  mostBytesHere: number;
};

/** A piece of a message has to follow the one before it within this time. */
const longestPause = 60_000;
const longestCommand = 64 << 10;
/** Longer units save nothing. */
const longestUnit = 256 << 10;
/** Shorter ones would be little else than headers. */
const shortestUnit = 128;
const unitOverhead = 6;

/**
 * An association as messages (PS3.7 §6.3, PS3.8 Annex E): pulled one by one from the connection, data sets in pieces,
 * so that no more than one unit is in memory whatever the other side sends.
 */
export const createAssociation = (connection: Connection, terms: AssociationTerms) => {
  const longestThere = unitLength(terms.mostBytesThere);
  let values: DataValue[] = [];
  let taken = 0;

  /** The next piece, or undefined when the other side would like to release the association. */
  const next = async (milliseconds: number): Promise<DataValue | undefined> => {
    for (;;) {
      const value = values[taken];
      if (value) {
        taken += 1;
        return value;
      }
      values = [];
      taken = 0;
      const { type, body } = await connection.read(terms.mostBytesHere, milliseconds);
      if (type === pduType.releaseRequest) return undefined;
      if (type === pduType.abort) throw new ConnectionLost('The other side broke the association off');
      if (type !== pduType.data) throw new ProtocolError('An association is managed while it is used');
      values = readData(body);
    }
  };

  const nextOf = async (contextId: number, isCommand: boolean): Promise<DataValue> => {
    const value = await next(longestPause);
    if (value?.contextId === contextId && value.isCommand === isCommand) return value;
    throw new ProtocolError('A message is interrupted by another one');
  };

  const readCommand = async (first: DataValue): Promise<CommandSet> => {
    if (!first.isCommand) throw new ProtocolError('A data set comes without a command');
    const gathering = startGathering(longestCommand, 'A command is longer than any command');
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
      const piece = bytes.subarray(at, at + longest);
      const isLast = endsHere && at + longest >= bytes.length;
      await connection.write(writeData({ contextId: context.id, isCommand, isLast, bytes: piece }));
    }
  };

  return {
    contexts: terms.contexts,

    /** The next message, or undefined when there is none any more. Throws when none comes within the milliseconds. */
    receive: async (milliseconds: number): Promise<Message | undefined> => {
      const first = await next(milliseconds);
      if (!first) return undefined;
      const context = terms.contexts.get(first.contextId);
      if (!context) throw new ProtocolError('A message is sent in a context that was not agreed on');
      const command = await readCommand(first);
      const dataSet = command.hasDataSet ? incoming(() => nextOf(context.id, false)) : undefined;
      return { context, command, dataSet };
    },

    /**
     * Whether the other side has said meanwhile that it would like no more answers to a message (C-CANCEL, PS3.7
     * §9.3.2.3). Lets everybody else have a turn. Throws ProtocolError for any other message: one at a time was agreed.
     */
    isCancelled: async (messageId: number | undefined): Promise<boolean> => {
      await setImmediate();
      if (taken === values.length && !connection.hasArrived()) return false;
      const value = await next(longestPause);
      if (!value) throw new ProtocolError('An association is released while it is used');
      const command = await readCommand(value);
      if (command.CommandField !== commandField.cancel)
        throw new ProtocolError('A message is sent before the one before it is answered');
      return command.MessageIDBeingRespondedTo === messageId;
    },

    /** Sends a message, whose data set may come in pieces. */
    send: async (
      context: Context,
      command: Omit<CommandSet, 'hasDataSet'>,
      dataSet?: Buffer | AsyncIterable<Buffer>,
    ): Promise<void> => {
      await sendPiece(context, true, writeCommandSet({ ...command, hasDataSet: dataSet !== undefined }));
      if (Buffer.isBuffer(dataSet)) return sendPiece(context, false, dataSet);
      if (!dataSet) return;
      // Of each piece it has to be said whether it is the last one, so that one is always held back.
      let held: Buffer = Buffer.alloc(0);
      for await (const piece of dataSet) {
        if (held.length > 0) await sendPiece(context, false, held, false);
        held = piece;
      }
      await sendPiece(context, false, held);
    },

    /** Ends an association in order: the side that asked for it says so and waits for the answer, but not for long. */
    release: async (milliseconds: number): Promise<void> => {
      await connection.write(writeReleaseRequest());
      const { type } = await connection.read(terms.mostBytesHere, milliseconds);
      connection.end(type === pduType.releaseResponse ? undefined : writeAbort());
    },

    abort: (): void => connection.end(writeAbort()),

    /** Hangs up, and throws this to whoever waits for the other side. */
    fail: connection.fail,
  };
};

const unitLength = (mostBytesThere: number): number => {
  if (mostBytesThere === 0) return longestUnit;
  if (mostBytesThere < shortestUnit) throw new ProtocolError('The other side reads next to nothing at a time');
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
      for (let piece = await nextPiece(); piece; piece = await nextPiece()) yield piece;
    },
    drain: async (mostBytes) => {
      let drained = 0;
      for (let piece = await nextPiece(); piece; piece = await nextPiece()) {
        drained += piece.length;
        if (drained > mostBytes) throw new TooLong('A data set does not end');
      }
    },
  };
};

/** A data set of a query, which is small, as a whole. Throws ProtocolError when it is larger than that. */
export const readWhole = async (dataSet: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer> => {
  const gathering = startGathering(mostBytes, 'An identifier is longer than any identifier');
  for await (const piece of dataSet) gathering.add(piece);
  return gathering.whole();
};

/** What is small comes in few pieces: thousands of them would cost far more memory than what they hold. */
const mostPieces = 4096;

/** Puts pieces together. Throws ProtocolError, in the words given, when they are more than that. */
const startGathering = (mostBytes: number, words: string) => {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    add: (piece: Buffer): void => {
      length += piece.length;
      pieces.push(piece);
      if (length > mostBytes || pieces.length > mostPieces) throw new ProtocolError(words);
    },
    whole: (): Buffer => Buffer.concat(pieces),
  };
};
