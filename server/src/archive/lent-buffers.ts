import type { ServerResponse } from 'node:http';

/** A smaller buffer is cheaper to make than to keep, a larger one is too rare. */
const smallest = 64 << 10;
const largest = 8 << 20;
/** All that is kept between answers, however much was lent at once. */
const keptAtMost = 64 << 20;

const kept = new Map<number, ArrayBuffer[]>();
const lent = new WeakSet<ArrayBufferLike>();
let keptBytes = 0;

const sizeFor = (length: number): number => 2 ** Math.ceil(Math.log2(length));

/**
 * A buffer for bytes that are about to be sent; what was in it before is still there. Once sent it is lent again:
 * the system clears the pages of every new one and the collector runs for it, which together cost more than to read
 * a frame.
 */
export const lendBuffer = (length: number): Buffer => {
  if (length < smallest || length > largest) return Buffer.allocUnsafe(length);
  const size = sizeFor(length);
  const known = kept.get(size)?.pop();
  if (known) keptBytes -= size;
  const slab = known ?? new ArrayBuffer(size);
  lent.add(slab);
  return Buffer.from(slab, 0, length);
};

/**
 * Gives a buffer back that nobody reads any more. Does nothing to one that was not lent, or that is back already:
 * somebody else may have it.
 */
export const giveBack = ({ buffer }: Uint8Array): void => {
  if (!(buffer instanceof ArrayBuffer) || !lent.delete(buffer)) return;
  if (keptBytes + buffer.byteLength > keptAtMost) return;
  keptBytes += buffer.byteLength;
  kept.set(buffer.byteLength, [...(kept.get(buffer.byteLength) ?? []), buffer]);
};

/** Gives a lent buffer back once the whole answer has left for the system. An answer that breaks off keeps its own. */
export const giveBackWhenSent = (answer: ServerResponse, buffer: Buffer): void => {
  answer.once('finish', () => giveBack(buffer));
};

/** What has to be known of an answer: the bytes that wait in it, and when all of it has left. */
type Streamed = { readonly writableLength: number; once: (event: 'finish', listener: () => void) => unknown };

/**
 * Gives the lent buffers of a streamed answer back while it goes on, and the last of them when it has been sent.
 * `waitingBefore` says how many bytes that were handed over have not reached the answer yet.
 */
export const createReturns = (answer: Streamed, waitingBefore: () => number) => {
  const inOrder: { buffer: Buffer; end: number }[] = [];
  let handedOver = 0;
  answer.once('finish', () => {
    for (const { buffer } of inOrder.splice(0)) giveBack(buffer);
  });
  return {
    /** Says that these bytes are the next to be sent. */
    handOver: (buffer: Buffer): void => {
      handedOver += buffer.length;
      inOrder.push({ buffer, end: handedOver });
    },
    /** Takes back what has left for the system by now. */
    collect: (): void => {
      const left = handedOver - waitingBefore() - answer.writableLength;
      while (inOrder[0] && inOrder[0].end <= left) {
        const [first] = inOrder.splice(0, 1);
        if (first) giveBack(first.buffer);
      }
    },
  };
};
