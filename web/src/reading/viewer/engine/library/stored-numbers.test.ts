import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { numberPatches, withTrueNumbers } from '../../../../../build/patch-numbers.ts';
import { built, placeOf } from '#test/built-loader.ts';

type Frame = Record<string, unknown> & { pixelData: ArrayLike<number> };
type Scaling = { rescaleSlope: number; rescaleIntercept: number };

let process: (frame: object, options: object, start: number) => Frame;
let setType: (frame: object) => void;

beforeAll(async () => {
  process = (await built('decodeImageFrameWorker.js')).postProcessDecodedPixels;
  setType = (await built('imageLoader/setPixelDataType.js')).default;
});

type Bits = { bitsAllocated: number; bitsStored: number; highBit: number; pixelRepresentation: number };

/** Returns the values for display and measurement, computed from decoded pixels. */
const numbersOf = (pixelData: ArrayLike<number>, bits: Bits, scalingParameters?: Scaling): number[] => {
  const options = { preScale: { enabled: scalingParameters !== undefined, scalingParameters } };
  const frame = process(
    { pixelData, photometricInterpretation: 'MONOCHROME2', samplesPerPixel: 1, ...bits },
    options,
    0,
  );
  setType(frame);
  return Array.from(frame.pixelData);
};

const unsigned = (bitsStored: number, highBit = bitsStored - 1, bitsAllocated = 16): Bits => ({
  bitsAllocated,
  bitsStored,
  highBit,
  pixelRepresentation: 0,
});
const signed = (bitsStored: number, highBit = bitsStored - 1, bitsAllocated = 16): Bits => ({
  ...unsigned(bitsStored, highBit, bitsAllocated),
  pixelRepresentation: 1,
});

test('stored values do not include an overlay in the unused bits', () => {
  expect(numbersOf(Uint16Array.of(0x1400, 0xf400, 0x0400, 0x8000), unsigned(12))).toEqual([1024, 1024, 1024, 0]);
  expect(numbersOf(Int16Array.of(0x1c00, 0x0c00, 0x1400), signed(12))).toEqual([-1024, -1024, 1024]);
  expect(numbersOf(Uint8Array.of(0x85, 0x05), unsigned(7, 6, 8))).toEqual([5, 5]);
});

test('stored values are read from the high bits if the header says so', () => {
  expect(numbersOf(Uint16Array.of(0x4000, 0xfff0, 0x4005), unsigned(12, 15))).toEqual([1024, 4095, 1024]);
  expect(numbersOf(Int16Array.of(0xfff0, 0x4000), signed(12, 15))).toEqual([-1, 1024]);
});

test('the header decides whether stored values are signed, not the codestream', () => {
  expect(numbersOf(Uint16Array.of(0xfc18, 0x1f00, 5), signed(16))).toEqual([-1000, 7936, 5]);
  expect(numbersOf(Uint16Array.of(0x1c18, 5), signed(13))).toEqual([-1000, 5]);
  expect(numbersOf(Int16Array.of(-1000, 5), unsigned(16))).toEqual([64_536, 5]);
  expect(numbersOf(Uint8Array.of(0xff, 5), signed(8, 7, 8))).toEqual([-1, 5]);
});

test('integer values use as few bits as were decoded', () => {
  expect(numbersOf(Uint16Array.of(0, 65_535), unsigned(16))).toEqual([0, 65_535]);
  expect(numbersOf(Int16Array.of(-32_768, 32_767), signed(16))).toEqual([-32_768, 32_767]);
  expect(numbersOf(Uint8Array.of(0, 255), unsigned(12))).toEqual([0, 255]);
  expect(numbersOf(Uint32Array.of(0, 2 ** 31), unsigned(32, 31, 32))).toEqual([0, 2 ** 31]);
});

test('rescaled values keep their fractions, even if minimum and maximum are integers', () => {
  const scaled = numbersOf(Uint16Array.of(0, 1, 15, 3000), unsigned(12), { rescaleSlope: 0.5, rescaleIntercept: -10 });

  expect(scaled).toEqual([-10, -9.5, -2.5, 1490]);
});

test('a negative slope reverses the values without loss', () => {
  const scaled = numbersOf(Uint16Array.of(0, 95, 4095), unsigned(12), { rescaleSlope: -1, rescaleIntercept: 4095 });

  expect(scaled).toEqual([4095, 4000, 0]);
});

test('single-bit pixels are read from the lowest bit of the first byte on', () => {
  const bits: Bits = { bitsAllocated: 1, bitsStored: 1, highBit: 0, pixelRepresentation: 0 };
  const frame = { pixelData: Uint8Array.of(0b101, 0b10), rows: 2, columns: 5 };

  expect(numbersOf(frame.pixelData, { ...bits, ...frame })).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
});

test('a modality LUT applies to display and measurement, and is not stored with each frame', () => {
  const modalityTable = { first: 10, values: Uint16Array.of(1000, 3000, 65_535), bits: 16 };
  const frame = process(
    {
      pixelData: Uint16Array.of(0, 10, 11, 12, 99),
      photometricInterpretation: 'MONOCHROME2',
      ...unsigned(12),
      modalityTable,
    },
    { preScale: { enabled: false } },
    0,
  );
  setType(frame);

  expect(Array.from(frame.pixelData)).toEqual([1000, 1000, 3000, 65_535, 65_535]);
  expect(frame).toMatchObject({ smallestPixelValue: 1000, largestPixelValue: 65_535 });
  expect('modalityTable' in frame).toBe(false);
});

test.each([0, 1, 2, 3])('floating-point values are decoded from byte %i of 4 on', async (start) => {
  const decode = (await built('shared/decoders/decodeLittleEndian.js')).default;
  const bytesFrom = (values: Float32Array | Float64Array) => {
    const padded = new Uint8Array(start + values.byteLength);
    padded.set(new Uint8Array(values.buffer), start);
    return padded.subarray(start);
  };

  const single = await decode({ bitsAllocated: 32 }, bytesFrom(Float32Array.of(0, 0.25, -3.5)));
  const double = await decode({ bitsAllocated: 64 }, bytesFrom(Float64Array.of(0, 0.25, -3.5)));

  expect([Array.from(single.pixelData), Array.from(double.pixelData)]).toEqual([
    [0, 0.25, -3.5],
    [0, 0.25, -3.5],
  ]);
});

test('library code that computes values in another way stops the build', () => {
  for (const patch of numberPatches) expect(() => withTrueNumbers('', patch)).toThrow('in another way');
});

test('a loaded frame contains its high bit and its modality LUT', () => {
  const patch = numberPatches.find(({ file }) => file === 'imageLoader/getImageFrame.js');
  const patched = patch && withTrueNumbers(readFileSync(placeOf(patch.file), 'utf8'), patch);

  expect(patched).toContain('highBit: imagePixelModule.highBit');
  expect(patched).toContain("modalityTable: metaData.get('modalityTable', imageId)");
});
