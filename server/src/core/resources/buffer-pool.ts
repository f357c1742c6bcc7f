import type { ServerResponse } from 'node:http';

/** Smaller buffers are cheaper to create than to pool, and larger ones are too rare. */
const smallest = 64 << 10;
const largest = 8 << 20;
/** Bytes pooled between answers, however many were lent at once. */
const maxPooledBytes = 64 << 20;

const freeBuffers = new Map<number, ArrayBuffer[]>();
const lent = new WeakSet<ArrayBufferLike>();
let keptBytes = 0;

const sizeFor = (length: number): number => 2 ** Math.ceil(Math.log2(length));

/**
 * Returns a buffer for bytes to send, with old contents. It is reused after sending: a new one costs page clearing and
 * garbage collection, more than reading a frame.
 */
export const borrowBuffer = (length: number): Buffer => {
  if (length < smallest || length > largest) return Buffer.allocUnsafe(length);
  const size = sizeFor(length);
  const known = freeBuffers.get(size)?.pop();
  if (known) keptBytes -= size;
  const slab = known ?? new ArrayBuffer(size);
  lent.add(slab);
  return Buffer.from(slab, 0, length);
};

/**
 * Puts a buffer that nothing reads any more back into the pool. Ignores buffers that were not lent or are already back,
 * because another answer may use them.
 */
export const returnBuffer = ({ buffer }: Uint8Array): void => {
  if (!(buffer instanceof ArrayBuffer) || !lent.delete(buffer)) return;
  if (keptBytes + buffer.byteLength > maxPooledBytes) return;
  keptBytes += buffer.byteLength;
  freeBuffers.set(buffer.byteLength, [...(freeBuffers.get(buffer.byteLength) ?? []), buffer]);
};

/** Puts a lent buffer back after the whole answer was sent. An answer that breaks off keeps its buffer. */
export const returnBufferWhenSent = (answer: ServerResponse, buffer: Buffer): void => {
  answer.once('finish', () => returnBuffer(buffer));
};

/** Parts of an answer used here: its waiting bytes, and the event when all was sent. */
type Streamed = { readonly writableLength: number; once: (event: 'finish', listener: () => void) => unknown };

/**
 * Puts the lent buffers of a streamed answer back while it is sent, and the last ones at its end. `waitingBefore`
 * counts bytes handed over that have not reached the answer yet.
 */
export const createBufferReturns = (answer: Streamed, waitingBefore: () => number) => {
  const inOrder: { buffer: Buffer; end: number }[] = [];
  let handedOver = 0;
  answer.once('finish', () => {
    for (const { buffer } of inOrder.splice(0)) returnBuffer(buffer);
  });
  return {
    /** Registers the next bytes to be sent. */
    handOver: (buffer: Buffer): void => {
      handedOver += buffer.length;
      inOrder.push({ buffer, end: handedOver });
    },
    /** Puts back the buffers sent so far. */
    collect: (): void => {
      const left = handedOver - waitingBefore() - answer.writableLength;
      while (inOrder[0] && inOrder[0].end <= left) {
        const [first] = inOrder.splice(0, 1);
        if (first) returnBuffer(first.buffer);
      }
    },
  };
};
