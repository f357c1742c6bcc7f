import type { Socket } from 'node:net';
import { ConnectionLost, ProtocolError, TimedOut } from './protocol-error.ts';

/** A protocol data unit (PS3.8 §9.3.1): its type and what follows its length. */
export type Pdu = { type: number; body: Buffer };

export type Connection = ReturnType<typeof openConnection>;

const headerLength = 6;
/** The rest of a unit, once its header is here. */
const longestArrival = 60_000;
/** A side that does not take what it asked for has gone. */
const longestDeparture = 60_000;

/**
 * A socket as protocol data units, read when they are asked for: what nobody asks for stays with the sender, which is
 * the back-pressure. Nothing is allocated on the word of a length that is more than `mostBytes`.
 */
export const openConnection = (socket: Socket) => {
  socket.setNoDelay(true);
  let failure: Error | undefined;
  socket.on('error', (cause) => {
    failure ??= new ConnectionLost('The line was cut', { cause });
  });

  // Listened to once and for all: a listener for 'readable' that is added while a part of a unit is here is called at
  // once, so that waiting for the rest would never let anything arrive.
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
      if (bytes || socket.readableEnded || socket.destroyed) throw failure ?? new ConnectionLost('The line was cut');
      await more();
    }
  };

  const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => fail(new TimedOut('The other side was silent for too long')), milliseconds);
    return work.finally(() => clearTimeout(timer));
  };

  /** The next unit. Throws when it does not begin within the milliseconds given, or breaks a rule. */
  const read = async (mostBytes: number, milliseconds: number): Promise<Pdu> => {
    const header = await within(milliseconds, take(headerLength));
    const type = header.readUInt8(0);
    const length = header.readUInt32BE(2);
    if (type < 1 || type > 7) throw new ProtocolError('Not a DICOM protocol data unit');
    if (length > mostBytes) throw new ProtocolError('A protocol data unit is longer than agreed');
    return { type, body: await within(longestArrival, take(length)) };
  };

  return {
    address: addressOf(socket),

    read,

    /** The same, but all of the unit has to be here within the milliseconds given. */
    readWithin: (mostBytes: number, milliseconds: number): Promise<Pdu> =>
      within(milliseconds, read(mostBytes, milliseconds)),

    /** Resolves when the other side may be given more. */
    write: async (bytes: Buffer): Promise<void> => {
      if (failure) throw failure;
      if (socket.destroyed) throw new ConnectionLost('The line was cut');
      if (socket.write(bytes)) return;
      await within(longestDeparture, drained(socket));
    },

    fail,

    /** Whether something has arrived that was not asked for yet. */
    hasArrived: (): boolean => {
      // Without being asked, a socket that is not flowing looks no further than what it has.
      socket.read(0);
      return socket.readableLength >= headerLength;
    },

    /** Says this and hangs up, without waiting for the other side to read it. */
    end: (bytes?: Buffer): void => {
      if (socket.destroyed || socket.writableEnded) return;
      if (bytes) socket.write(bytes);
      socket.end();
      // What the other side still sends is thrown away, but not for ever.
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

/** Where a connection comes from. An IPv4 address is written as one, whatever the listener is. */
export const addressOf = ({ remoteAddress = '' }: Socket): string =>
  remoteAddress.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/s, '');
