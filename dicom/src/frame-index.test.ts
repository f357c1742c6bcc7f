import { expect, test } from 'vitest';
import { extendedOffsetTable } from './extended-offset-table.ts';
import { encodeFrameIndex, framesAt, indexFrames, type FrameIndex } from './frame-index.ts';
import { readHeader } from './header.ts';
import { writePart10, type Elements } from './part10.ts';
import {
  rawElement,
  rawItem,
  sampleDataset,
  sampleFile,
  sampleJpeg,
  samplePixels,
  sampleWithoutPixels,
} from './sample-files.ts';
import { itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

const startOfImage = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

const indexOf = (file: Buffer): Promise<FrameIndex> =>
  indexFrames(async (offset, length) => file.subarray(offset, offset + length), readHeader(file), file.length);

const framesOf = (file: Buffer, { frames }: FrameIndex): Buffer[] =>
  frames.map((ranges) => Buffer.concat(ranges.map(([offset, length]) => file.subarray(offset, offset + length))));

/** A compressed file with this offset table and these fragments. */
const compressed = (frames: number, table: number[], fragments: Buffer[], differences: Elements = {}): Buffer => {
  const file = sampleJpeg([Buffer.alloc(2)], { NumberOfFrames: frames, ...differences });
  const { pixelData } = readHeader(file);
  const offsets = Buffer.alloc(4 * table.length);
  table.forEach((offset, index) => offsets.writeUInt32LE(offset, 4 * index));
  return Buffer.concat([
    file.subarray(0, pixelData?.offset),
    rawItem(itemTag, offsets),
    ...fragments.map((fragment) => rawItem(itemTag, fragment)),
    rawItem(sequenceDelimitationTag),
  ]);
};

const native = (differences: Elements, length: number): Buffer =>
  writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1',
    dataset: { ...sampleDataset, ...differences },
    pixelData: Buffer.alloc(length),
  });

const letters = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text));

test('uncompressed frames follow one another', async () => {
  const file = native({ NumberOfFrames: 3 }, 36);

  const { frames, how, warnings } = await indexOf(file);

  const start = file.length - 36;
  expect(frames).toEqual([[[start, 12]], [[start + 12, 12]], [[start + 24, 12]]]);
  expect({ how, warnings }).toEqual({ how: 'native', warnings: [] });
});

test.each([
  ['full color', { SamplesPerPixel: 3, PhotometricInterpretation: 'RGB' }, 36],
  ['subsampled color', { SamplesPerPixel: 3, PhotometricInterpretation: 'YBR_FULL_422' }, 24],
  ['one bit per pixel', { BitsAllocated: 1, BitsStored: 1, HighBit: 0, Columns: 4 }, 1],
  ['less than a byte', { BitsAllocated: 1, BitsStored: 1, HighBit: 0 }, 1],
])('the length of a frame is computed correctly: %s', async (_, differences, length) => {
  const { frames } = await indexOf(native(differences, length + (length % 2)));

  expect(frames.flat().map(([, frameLength]) => frameLength)).toEqual([length]);
});

test('an image with full color is indexed as full color even if it declares subsampled color', async () => {
  const { frames, warnings } = await indexOf(
    native({ SamplesPerPixel: 3, PhotometricInterpretation: 'YBR_FULL_422', NumberOfFrames: 2 }, 72),
  );

  expect(frames.flat().map(([, length]) => length)).toEqual([36, 36]);
  expect(warnings).toEqual(['The image declares reduced color resolution but contains full color.']);
});

test('frames that do not begin at a whole byte are not indexed', async () => {
  const { frames, how, warnings } = await indexOf(
    native(
      {
        BitsAllocated: 8,
        BitsStored: 8,
        HighBit: 7,
        SamplesPerPixel: 3,
        NumberOfFrames: 2,
        Rows: 3,
        PhotometricInterpretation: 'YBR_PARTIAL_420',
      },
      28,
    ),
  );

  expect({ frames, how }).toEqual({ frames: [], how: 'unmappable' });
  expect(warnings.join()).toContain('whole bytes');
});

test('a file with too few pixels is truncated', async () => {
  await expect(indexOf(native({}, 10))).rejects.toMatchObject({ code: 'TRUNCATED' });
  await expect(indexOf(native({ NumberOfFrames: 2 }, 12))).rejects.toMatchObject({ code: 'TRUNCATED' });
});

test('a structured report has no frames', async () => {
  expect(await indexOf(sampleWithoutPixels())).toEqual({ frames: [], how: 'none', warnings: [] });
});

test('a single compressed frame may have any number of fragments', async () => {
  const file = compressed(1, [], letters('ab', 'cd', '', 'ef'));

  const index = await indexOf(file);

  expect(index).toMatchObject({ how: 'single frame', warnings: [] });
  expect(framesOf(file, index)).toEqual(letters('abcdef'));
});

test('the basic offset table says which fragments belong to each frame', async () => {
  const file = compressed(2, [0, 20], letters('ab', 'cd', 'ef', 'gh', 'ij'));
  const jpegFile = sampleJpeg(letters('abc', 'd', 'ef'));

  const index = await indexOf(file);
  const writtenIndex = await indexOf(jpegFile);

  expect(index).toMatchObject({ how: 'basic offset table', warnings: [] });
  expect(framesOf(file, index)).toEqual(letters('abcd', 'efghij'));
  expect(framesOf(jpegFile, writtenIndex)).toEqual(letters('abc\0', 'd\0', 'ef'));
});

test.each([[[0, 0]], [[0, 4]], [[8, 0]], [[10, 20]], [[0]], [[0, 4_294_967_295]]])(
  'a wrong basic offset table is ignored (%j)',
  async (table) => {
    const file = compressed(2, table, letters('ab', 'cd'));

    const index = await indexOf(file);

    expect(index.how).toBe('one fragment per frame');
    expect(framesOf(file, index)).toEqual(letters('ab', 'cd'));
  },
);

test('the extended offset table is used instead of the basic one', async () => {
  const offsets = Buffer.alloc(16);
  offsets.writeBigUInt64LE(10n, 8);
  const file = compressed(2, [0, 20], letters('ab', 'cd', 'ef'), { ExtendedOffsetTable: offsets });

  const index = await indexOf(file);

  expect(index.how).toBe('extended offset table');
  expect(framesOf(file, index)).toEqual(letters('ab', 'cdef'));
});

test('a long extended offset table is read from the file, and a wrong table is ignored', async () => {
  const count = 200;
  const offsets = Buffer.alloc(8 * count);
  for (let frame = 0; frame < count; frame += 1) offsets.writeBigUInt64LE(BigInt(12 * frame), 8 * frame);
  const fragments = Array.from({ length: count }, () => Buffer.alloc(4));
  const right = compressed(count, [], fragments, { ExtendedOffsetTable: offsets });
  const wrong = compressed(count, [], fragments, { ExtendedOffsetTable: Buffer.alloc(8 * count, 7) });

  expect((await indexOf(right)).how).toBe('extended offset table');
  expect((await indexOf(wrong)).how).toBe('one fragment per frame');
});

test('an extended offset table can point beyond four gigabytes', async () => {
  const offsets = Buffer.alloc(16);
  offsets.writeBigUInt64LE(0x1_0000_000an, 8);
  const file = compressed(2, [], letters('ab', 'cd'), { ExtendedOffsetTable: offsets });

  const table = await extendedOffsetTable(async () => Buffer.alloc(0), readHeader(file));

  expect(table).toEqual([0, 0x1_0000_000a]);
});

test('without an offset table, a frame begins where a codestream begins', async () => {
  const start = (text: string) => Buffer.concat([startOfImage, Buffer.from(text)]);
  const file = compressed(2, [], [start('ab'), ...letters('cd'), start('ef'), ...letters('gh')]);

  const index = await indexOf(file);

  expect(index.how).toBe('start of codestream');
  expect(framesOf(file, index)).toEqual([
    Buffer.concat([startOfImage, Buffer.from('abcd')]),
    Buffer.concat([startOfImage, Buffer.from('efgh')]),
  ]);
});

test.each([['a file with an empty frame', 2, letters('ab', '')]])(
  'the frames of %s are not indexed, with a reason',
  async (_, frames, fragments) => {
    const index = await indexOf(compressed(frames, [], fragments));

    expect(index).toMatchObject({ frames: [], how: 'unmappable' });
    expect(index.warnings.join()).toContain('cannot be separated');
  },
);

test.each([
  ['more', 2, letters('ab', 'cd', 'ef')],
  ['fewer', 3, letters('ab', 'cd')],
])('refuses %s fragments than frames if the frames cannot be told apart', async (_, frames, fragments) => {
  await expect(indexOf(compressed(frames, [], fragments))).rejects.toMatchObject({
    code: 'PIXEL',
    message: `The file declares ${frames} frames, but its image consists of ${fragments.length} parts that cannot be assigned to them.`,
  });
});

test('a video is one stream, and its frames are not indexed', async () => {
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.4.102',
    dataset: { ...sampleDataset, NumberOfFrames: 2 },
    pixelData: [Buffer.alloc(4), Buffer.alloc(4)],
  });

  expect(await indexOf(file)).toMatchObject({ how: 'unmappable' });
});

test('an image with invalid dimensions is not divided into frames', async () => {
  expect(await indexOf(sampleFile({ NumberOfFrames: 2_000_000 }))).toMatchObject({ frames: [], how: 'unmappable' });
  expect(await indexOf(sampleJpeg([Buffer.alloc(2)], { Rows: 0 }))).toMatchObject({ frames: [], how: 'unmappable' });
});

test('a file whose compressed pixels are cut at any byte is truncated', async () => {
  const file = sampleJpeg(letters('abcd', 'ef'));
  const start = readHeader(file).pixelData?.offset ?? 0;
  const lastFragmentEnd = file.length - 8;

  for (let length = start; length < lastFragmentEnd; length += 1) {
    await expect(indexOf(file.subarray(0, length))).rejects.toMatchObject({ code: 'TRUNCATED' });
  }
});

test('a missing end delimiter is accepted only if every frame is complete', async () => {
  const file = sampleJpeg(letters('abcd', 'ef'));
  const inPieces = compressed(1, [], letters('abcd', 'ef'));

  const index = await indexOf(file.subarray(0, -8));

  expect(index.frames).toHaveLength(2);
  expect(index.warnings).toEqual(['The image has no end mark, but all frames are present.']);
  await expect(indexOf(inPieces.subarray(0, -8))).rejects.toMatchObject({ code: 'TRUNCATED' });
});

test('a file with compressed pixels but without a fragment is truncated', async () => {
  await expect(indexOf(compressed(1, [], []))).rejects.toMatchObject({ code: 'TRUNCATED' });
});

test('a file with other bytes among the fragments is refused as damaged', async () => {
  const file = sampleJpeg(letters('abcd', 'ef'));
  const start = readHeader(file).pixelData?.offset ?? 0;
  const damaged = [
    Buffer.concat([file.subarray(0, start), Buffer.alloc(50)]),
    Buffer.concat([file.subarray(0, start), rawItem(sequenceDelimitationTag)]),
    Buffer.concat([file.subarray(0, start), rawItem(itemTag), rawItem(itemTag, undefined, undefinedLength)]),
  ];

  for (const bytes of damaged) await expect(indexOf(bytes)).rejects.toMatchObject({ code: 'PIXEL' });
});

test('frames of a deflated file are found in its inflated data set', async () => {
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1.99',
    dataset: sampleDataset,
    pixelData: samplePixels,
  });

  const index = await indexOf(file);

  expect(framesOf(readHeader(file).inflated ?? Buffer.alloc(0), index)).toEqual([samplePixels]);
});

test('bytes after the image are accepted unless they show that the file is truncated', async () => {
  const withTail = (tail: Buffer) => indexOf(Buffer.concat([sampleFile(), tail]));
  const openSequence = rawElement('FFFAFFFA', 'SQ', rawItem(itemTag, undefined, undefinedLength), undefinedLength);

  expect((await withTail(rawElement('FFFCFFFC', 'OB', Buffer.alloc(64)))).warnings).toEqual([]);
  expect((await withTail(rawElement('7FE11001', 'OB', Buffer.alloc(2 << 20)))).warnings).toEqual([]);
  expect((await withTail(Buffer.from('rubbish from somewhere'))).warnings).toEqual([
    'Data that is not DICOM follows the image.',
  ]);
  await expect(withTail(openSequence)).rejects.toMatchObject({ code: 'TRUNCATED' });
});

test('indexing the frames does not read the pixels themselves', async () => {
  const file = sampleJpeg(Array.from({ length: 50 }, () => Buffer.alloc(100_000)));
  let bytesRead = 0;

  const { frames } = await indexFrames(
    async (offset, length) => {
      bytesRead += length;
      return file.subarray(offset, offset + length);
    },
    readHeader(file),
    file.length,
  );

  expect(frames).toHaveLength(50);
  expect(bytesRead).toBeLessThan(file.length / 20);
});

test('a stored frame index needs few bytes for each frame and can be read again', async () => {
  const fragmented = await indexOf(compressed(2, [0, 20], letters('ab', 'cd', 'ef', 'gh', 'ij')));
  const manyFrames = await indexOf(native({ NumberOfFrames: 1000, Rows: 20, Columns: 20 }, 800_000));
  const unmappable = await indexOf(compressed(2, [], letters('ab', '')));
  const large: FrameIndex = { frames: [[[2 ** 40, 2 ** 33]]], how: 'single frame', warnings: [] };

  for (const index of [fragmented, manyFrames, unmappable, large]) {
    expect(framesAt(encodeFrameIndex(index), [...index.frames.keys()]).frames).toEqual(index.frames);
  }
  expect(encodeFrameIndex(manyFrames).length).toBeLessThan(5000);
});

test('some frames of a stored index can be found without the others', () => {
  const index: FrameIndex = {
    frames: [
      [[10, 2]],
      [
        [20, 3],
        [31, 4],
      ],
      [[40, 5]],
    ],
    how: 'basic offset table',
    warnings: [],
  };
  const packed = { offset: 100, bitsPerFrame: 9, frames: 3 };
  const bits: FrameIndex = { frames: [], how: 'packed bits', warnings: [], packed };

  expect(framesAt(encodeFrameIndex(index), [1, 7, 0, 1]).frames).toEqual([
    index.frames[1],
    undefined,
    index.frames[0],
    index.frames[1],
  ]);
  expect(framesAt(encodeFrameIndex(index), [2, 0]).frames).toEqual([index.frames[2], index.frames[0]]);
  expect(framesAt(encodeFrameIndex(bits), [2])).toEqual({ frames: [[[102, 2]]], packed });
});

test('a file with a frame of too many fragments is stored but not shown', async () => {
  const fragments = Array.from({ length: 16_385 }, () => Buffer.alloc(2));

  const fine = await indexOf(compressed(1, [], fragments.slice(1)));
  const tooMany = await indexOf(compressed(1, [], fragments));

  expect(fine.how).toBe('single frame');
  expect(tooMany).toMatchObject({ how: 'unmappable', frames: [] });
  expect(tooMany.warnings.join()).toContain('One of them has too many fragments.');
});
