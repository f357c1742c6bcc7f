import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { withLosslessOnly, withNewDecoders, withWholeSegments } from '../../../../../build/patch-decoders.ts';

const loader = createRequire(import.meta.url).resolve('@cornerstonejs/dicom-image-loader');
const installed = (name: string): string =>
  readFileSync(new URL(`./shared/decoders/decode${name}.js`, `file://${loader}`), 'utf8');

test.each(['JPEG2000', 'HTJ2K', 'JPEGLS', 'JPEGBaseline8Bit', 'JPEGXL'])(
  'the build patches the installed %s decoder to use one codec for each image and fail on an empty result',
  (name) => {
    const patched = withNewDecoders(installed(name));

    expect(patched).toMatch(
      /local\.decoder\.delete\(\); const decoder = \(local\.decoder = new local\.codec\.\w+\(\)\);/,
    );
    expect(patched).not.toContain('const decoder = local.decoder;');
    expect(patched).toMatch(/decoder\.decode\w*\(\w*\); if \(decoder\.getDecodedBuffer\(\)\.length === 0\) throw/);
  },
);

test('an unknown decoder stops the build', () => {
  expect(() => withNewDecoders(installed('JPEG2000').replace('= local.decoder;', '= pool.decoder;'))).toThrow(
    'another decoder',
  );
});

/** Decodes a frame of 2 x 2 pixels with the RLE decoder that the build produces. */
const decodedRle = async (bitsAllocated: 8 | 16, frame: readonly number[]): Promise<ArrayLike<number>> => {
  const code = withWholeSegments(installed('RLE'));
  const { default: decode } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const image = {
    rows: 2,
    columns: 2,
    samplesPerPixel: 1,
    pixelRepresentation: 0,
    planarConfiguration: 0,
    bitsAllocated,
  };
  return (await decode(image, Uint8Array.from(frame))).pixelData;
};

/** Returns a header of 64 bytes with the offset of each segment (PS3.5 §G.5). */
const rleHeader = (...offsets: number[]): number[] =>
  Array.from({ length: 16 }, (_, at) => (at === 0 ? offsets.length : (offsets[at - 1] ?? 0))).flatMap((one) => [
    one,
    0,
    0,
    0,
  ]);

test('the patched RLE decoder decodes as before and fails if the frame does not fill the image', async () => {
  expect(Array.from(await decodedRle(8, [...rleHeader(64), 3, 1, 2, 3, 4]))).toEqual([1, 2, 3, 4]);
  expect(Array.from(await decodedRle(16, [...rleHeader(64, 66), 253, 1, 3, 1, 2, 3, 4]))).toEqual([257, 258, 259, 260]);
  await expect(decodedRle(8, [...rleHeader(64), 1, 1, 2])).rejects.toThrow('Cut short');
  await expect(decodedRle(16, [...rleHeader(64, 66), 253, 1, 1, 1, 2])).rejects.toThrow('Cut short');
  await expect(decodedRle(8, [...rleHeader(), 3, 1, 2, 3, 4])).rejects.toThrow('Nothing was decoded');
  expect(() => withWholeSegments(installed('RLE').replace('decode16(imageFrame, pixelData) {', 'decode(a) {'))).toThrow(
    'another decoder of RLE',
  );
});

const losslessDecoder = createRequire(`file://${loader}`).resolve('@cornerstonejs/jpeg-lossless-decoder-js');

/** Decodes a frame of 8 bits with the lossless JPEG decoder that the build produces. */
const decodedLossless = async (base64: string): Promise<number[]> => {
  const code = withLosslessOnly(installed('JPEGLossless')).replace(
    '@cornerstonejs/jpeg-lossless-decoder-js',
    `file://${losslessDecoder}`,
  );
  const { default: decode } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const frame = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return Array.from((await decode({ bitsAllocated: 8, pixelRepresentation: 0 }, frame)).pixelData);
};

/** Image of 8 x 8 pixels with the values 0 to 63, made by dcmcjpeg of DCMTK 3.6.7: first lossless, then lossy. */
const jpegs = [
  '/9j/4AAQSkZJRgABAQAAAQABAAD/wwALCAAIAAgBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAQQI/9oACAEBAAEAAM/qqtCqrQqq0KqtCqrQqq0KqtCqr//Z',
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABkQAAEFAAAAAAAAAAAAAAAAAAAEByMxof/aAAgBAQAAPwA/kzbVFh///9k=',
] as const;

test('the patched decoder decodes a lossless JPEG and refuses a lossy JPEG that is declared lossless', async () => {
  const [lossless, lossy] = jpegs;

  expect(await decodedLossless(lossless)).toEqual(Array.from({ length: 64 }, (_, index) => index));
  await expect(decodedLossless(lossy)).rejects.toThrow('Another JPEG');
  expect(() => withLosslessOnly('')).toThrow('another decoder of lossless JPEG');
});
