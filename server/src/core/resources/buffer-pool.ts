import type { ServerResponse } from 'node:http';

/**
 * Bytes. The pool lends no buffers below `smallest`, which are cheap to create, and none above `largest`, which are
 * rarely needed.
 */
const smallest = 64 << 10;
const largest = 8 << 20;
/** Maximum number of bytes in the pool. Lent buffers do not count. */
const maxPooledBytes = 64 << 20;

const freeBuffers = new Map<number, ArrayBuffer[]>();
const lent = new WeakSet<ArrayBufferLike>();
let keptBytes = 0;

const sizeFor = (length: number): number => 2 ** Math.ceil(Math.log2(length));

/**
 * Returns a buffer for bytes to send, with old content. After sending, the buffer is reused. A new buffer costs page
 * clearing and garbage collection, more than reading a frame.
 */
export const borrowBuffer = (length: number): Buffer => {
  if (length < smallest) return Buffer.allocUnsafe(length);
  const size = length > largest ? length : sizeFor(length);
  const known = freeBuffers.get(size)?.pop();
  if (known) keptBytes -= size;
  // A large buffer is not cleared, because its reader fills it.
  const slab = known ?? (size > largest ? Buffer.allocUnsafeSlow(size).buffer : new ArrayBuffer(size));
  lent.add(slab);
  return Buffer.from(slab, 0, length);
};

/**
 * Returns a buffer to the pool when nothing reads it. Ignores buffers that were not lent or were already returned,
 * because another answer may use such a buffer.
 */
export const returnBuffer = ({ buffer }: Uint8Array): void => {
  if (!(buffer instanceof ArrayBuffer) || !lent.delete(buffer) || buffer.detached) return;
  if (buffer.byteLength > largest || keptBytes + buffer.byteLength > maxPooledBytes) return;
  keptBytes += buffer.byteLength;
  freeBuffers.set(buffer.byteLength, [...(freeBuffers.get(buffer.byteLength) ?? []), buffer]);
};

/** Returns whether the caller alone holds these bytes, so that it may give their memory to another thread. */
export const isLent = ({ buffer }: Uint8Array): boolean => lent.has(buffer);

/** Returns a lent buffer to the pool that another thread has used. A buffer comes back from a thread as a new object. */
export const returnFromThread = (buffer: ArrayBuffer): void => {
  const isOfPool = buffer.byteLength >= smallest && buffer.byteLength === sizeFor(buffer.byteLength);
  if (!isOfPool) return;
  lent.add(buffer);
  returnBuffer(new Uint8Array(buffer));
};

/**
 * Returns a lent buffer to the pool after the whole answer was sent. If the answer breaks off, the buffer is not
 * reused.
 */
export const returnBufferWhenSent = (answer: ServerResponse, buffer: Buffer): void => {
  answer.once('finish', () => returnBuffer(buffer));
};

/** The parts of an answer that are used here: its waiting bytes, and the event after sending. */
type Streamed = { readonly writableLength: number; once: (event: 'finish', listener: () => void) => unknown };

/**
 * Returns the lent buffers of a streamed answer to the pool as they are sent, the last ones at the end of the answer.
 * `waitingBefore` returns the bytes written that have not reached the answer yet.
 */
export const createBufferReturns = (answer: Streamed, waitingBefore: () => number) => {
  const inOrder: { buffer: Buffer; end: number }[] = [];
  let handedOver = 0;
  answer.once('finish', () => {
    for (const { buffer } of inOrder.splice(0)) returnBuffer(buffer);
  });
  return {
    /** Adds the next bytes to be sent. */
    handOver: (buffer: Buffer): void => {
      handedOver += buffer.length;
      inOrder.push({ buffer, end: handedOver });
    },
    /** Returns the buffers sent so far to the pool. */
    collect: (): void => {
      const sentBytes = handedOver - waitingBefore() - answer.writableLength;
      while (inOrder[0] && inOrder[0].end <= sentBytes) {
        const [first] = inOrder.splice(0, 1);
        if (first) returnBuffer(first.buffer);
      }
    },
  };
};
