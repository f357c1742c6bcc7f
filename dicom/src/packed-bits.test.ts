import { expect, test } from 'vitest';
import { encodeFrameIndex, framesAt, indexFrames } from './frame-index.ts';
import { readHeader } from './header.ts';
import { alignedFrame, packedRanges } from './packed-bits.ts';
import { sampleDataset } from './sample-files.ts';
import { writePart10 } from './part10.ts';
import { explicitLittleEndian } from './transfer-syntax.ts';

const packed = (bits: string): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.split('').entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (Number(bit) << (at & 7));
  return bytes;
};

const bitsOf = (bytes: Buffer, count: number): string =>
  Array.from({ length: count }, (_, at) => ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1).join('');

const frames = ['101100111000101', '011011010111001', '111110000011110'];

test('frames of single-bit pixels are separated, and each begins at a byte', () => {
  const bytes = packed(frames.join(''));
  const place = { offset: 0, bitsPerFrame: 15, frames: 3 };

  const apart = packedRanges(place).map((ranges, frame) => {
    const [[offset, length] = [0, 0]] = ranges;
    return alignedFrame(bytes.subarray(offset, offset + length), place, frame);
  });

  expect(apart.map((frame) => bitsOf(frame, 16))).toEqual(frames.map((frame) => `${frame}0`));
});

test('the index of packed single-bit pixels needs few bytes for any number of frames', async () => {
  const image = { Rows: 3, Columns: 5, NumberOfFrames: 3, BitsAllocated: 1, BitsStored: 1, HighBit: 0 };
  const file = writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: { ...sampleDataset, ...image },
    pixelData: packed(frames.join('')),
  });
  const read = async (offset: number, length: number) => file.subarray(offset, offset + length);

  const index = await indexFrames(read, readHeader(file), file.length);

  expect(index).toMatchObject({ how: 'packed bits', warnings: [], packed: { bitsPerFrame: 15, frames: 3 } });
  expect(index.frames.map(([range]) => range?.[1])).toEqual([2, 3, 3]);
  expect(framesAt(encodeFrameIndex(index), [...index.frames.keys()]).frames).toEqual(index.frames);
});
