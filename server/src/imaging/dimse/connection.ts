import type { Socket } from 'node:net';
import { ConnectionLost, ProtocolError, TimedOut } from './protocol-error.ts';

/** A protocol data unit (PS3.8 §9.3.1): its type, and the bytes after its length. */
export type Pdu = { type: number; body: Buffer };

export type Connection = ReturnType<typeof openConnection>;

const headerLength = 6;
/** Milliseconds within which a unit must be complete after its header. */
const longestArrival = 60_000;
/** Milliseconds after which the other side counts as gone when it does not read our bytes. */
const longestDeparture = 60_000;

/**
 * Reads and writes protocol data units on a socket. Unread units slow the sender down (back-pressure). A length above
 * `mostBytes` is refused before memory is allocated.
 */
export const openConnection = (socket: Socket) => {
  socket.setNoDelay(true);
  let failure: Error | undefined;
  socket.on('error', (cause) => {
    failure ??= new ConnectionLost('The connection was lost', { cause });
  });

  // Adds only one listener for each event. Node calls a new 'readable' listener at once while a part of a unit is
  // buffered. A new listener for each wait would loop and block all reading.
  let wake = () => {};
  for (const event of ['readable', 'end', 'close']) socket.on(event, () => wake());
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  const fail = (error: Error) => {
    failure ??= error;
    socket.destroy();
  };

  const take = async (length: number): Promise<Buffer> => {
    for (;;) {
      if (failure) throw failure;
      const bytes: Buffer | null = length === 0 ? Buffer.alloc(0) : socket.read(length);
      if (bytes?.length === length) return bytes;
      if (bytes || socket.readableEnded || socket.destroyed)
        throw failure ?? new ConnectionLost('The connection was lost');
      await more();
    }
  };

  const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => fail(new TimedOut('The other side was silent for too long')), milliseconds);
    return work.finally(() => clearTimeout(timer));
  };

  /** Reads the next unit. Throws when the unit does not begin within this time, or when it violates the protocol. */
  const read = async (mostBytes: number, milliseconds: number): Promise<Pdu> => {
    const header = await within(milliseconds, take(headerLength));
    const type = header.readUInt8(0);
    const length = header.readUInt32BE(2);
    if (type < 1 || type > 7) throw new ProtocolError('Not a DICOM protocol data unit');
    if (length > mostBytes) throw new ProtocolError('The protocol data unit is longer than agreed');
    return { type, body: await within(longestArrival, take(length)) };
  };

  return {
    address: addressOf(socket),

    read,

    /** Reads the next unit. It must be complete within this time. */
    readWithin: (mostBytes: number, milliseconds: number): Promise<Pdu> =>
      within(milliseconds, read(mostBytes, milliseconds)),

    /** Writes bytes. Resolves when the socket accepts more bytes. */
    write: async (bytes: Buffer): Promise<void> => {
      if (failure) throw failure;
      if (socket.destroyed) throw new ConnectionLost('The connection was lost');
      if (socket.write(bytes)) return;
      await within(longestDeparture, drained(socket));
    },

    fail,

    /** Whether at least the header of an unread unit has arrived. */
    hasArrived: (): boolean => {
      // On a paused socket, Node reads ahead only after a call of `read`.
      socket.read(0);
      return socket.readableLength >= headerLength;
    },

    /** Sends these bytes and closes the connection, without waiting for the other side to read them. */
    end: (bytes?: Buffer): void => {
      if (socket.destroyed || socket.writableEnded) return;
      if (bytes) socket.write(bytes);
      socket.end();
      // Discards what the other side still sends, for at most 2 seconds.
      socket.resume();
      setTimeout(() => socket.destroy(), 2000).unref();
    },
  };
};

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });

/** The address of the other side. An IPv4 address has IPv4 form even on an IPv6 listener. */
export const addressOf = ({ remoteAddress = '' }: Socket): string =>
  remoteAddress.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/s, '');
