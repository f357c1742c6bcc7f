import { readHeader } from '@radwork/dicom/header';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFrom } from '#test/archive-calls.ts';
import { compressedColors } from '#test/compress-pixels.ts';
import { colour, type Elements, imageStorer, rgb, valuesOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const withImage = imageStorer(world);

const explicitLittleEndian = '1.2.840.10008.1.2.1';
const jpegLs = '1.2.840.10008.1.2.4.80';
const jpeg2000 = '1.2.840.10008.1.2.4.90';
const planes = [0, 1, 2].map((channel) => rgb.map((pixel) => pixel[channel] ?? 0));
const together = Buffer.from(rgb.flat());

/** The colors of `rgb` in JPEG-LS by dcmcjpls of DCMTK 3.6.7, in its three interleave modes (ITU-T T.87 §C.2.3). */
const inJpegLs = {
  'one after the other':
    '/9j/9wARCAAQABADAREAAhEAAxEA/9oACAEBAAAAAK22/b/+ATSv/wAn/3j3/3nP/3Nf/2x//y3/fqf/el//aH//e/9/n/98/3/X/36//0D/2gAIAQIAAAAATSv/QCaV/3AE/38e/385/35r/32P/3W//1T/f0v/fQ//f3//c/9/n/96/3/X/3j/2gAIAQMAAAAAAAABmJX/ef9//3j/2Q==',
  'line by line':
    '/9j/9wARCAAQABADAREAAhEAAxEA/9oADAMBAAIAAwAAAQCttv2//ppX/wAAAMwqqqqsAmlf/gCf/2T/QCf/ee//d7n/ftf/fsf/et//ep//aX//UP9/9/9/n/98/3/r/39f/3x//2P/f4//fH//bf9/3/9+/3/v/39//3f/fz//c/9/n/95/3///9k=',
  'pixel by pixel':
    '/9j/9wARCAAQABADAREAAhEAAxEA/9oADAMBAAIAAwAAAgBMAAAMztbdu2ve66973vewCAEmlr//f/9//3+mAR7/f/9//3//frca/3//f/9//3/YW/9//3//f/9/US//f/9//3//fQ9//3//f/9//3zn/3//f/9/Wv9//3//f+Mf/3//f/98Y/9//3//f27/f/9//3/3f/9//3//e7//f/9//3mf/3//f/98z/9//3//eP/Z',
};

const streams = [
  ...Object.entries(inJpegLs).map(
    ([order, base64]) => [`JPEG-LS, ${order}`, jpegLs, Buffer.from(base64, 'base64')] as const,
  ),
  ...['1.2.840.10008.1.2.4.70', jpeg2000, '1.2.840.10008.1.2.4.201'].map(
    (syntax) => [syntax, syntax, compressedColors(together, syntax, 16, 16)] as const,
  ),
];

/**
 * Returns the answers for a client without compression: a frame, the rendered image, and the file's pixels and header.
 */
const had = async (elements: Elements, transferSyntaxUID: string, stream: Buffer) => {
  const { person, instance } = await withImage({ ...colour, ...elements }, { transferSyntaxUID, pixelData: [stream] });
  const frame = await getFrom(person, `${instance}/frames/1`, {
    accept: `application/octet-stream; transfer-syntax=${explicitLittleEndian}`,
  });
  const file = await getFrom(person, instance, {
    accept: `application/dicom; transfer-syntax=${explicitLittleEndian}`,
  });
  const { dataset, pixelData } = readHeader(file.rawPayload);
  return {
    frame: [...frame.rawPayload],
    picture: await valuesOf(person, instance),
    file: [...file.rawPayload.subarray(pixelData?.offset).subarray(0, pixelData?.length)],
    order: dataset['00280006']?.Value?.[0],
    colours: dataset['00280004']?.Value?.[0],
  };
};

test.each(streams)('reads the color order of a compressed frame from its codestream: %s', async (_, syntax, stream) => {
  for (const PlanarConfiguration of [0, 1]) {
    const { frame, picture, file, order } = await had({ PlanarConfiguration }, syntax, stream);

    expect(picture).toEqual(rgb.flat());
    expect(frame).toEqual(PlanarConfiguration === 1 ? planes.flat() : rgb.flat());
    expect(file).toEqual(order === 1 ? planes.flat() : rgb.flat());
  }
});

test('the JPEG decides its color order, even if the header differs', async () => {
  const jpeg = await sharp(together, { raw: { width: 16, height: 16, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const elements = { PhotometricInterpretation: 'YBR_FULL', PlanarConfiguration: 1 };

  const { picture } = await had(elements, '1.2.840.10008.1.2.4.50', jpeg);

  const distances = picture.map((value, index) => Math.abs(value - (together[index] ?? 0)));
  expect(Math.max(...distances)).toBeLessThan(6);
});

test.each(['YBR_RCT', 'YBR_ICT'])(
  'a file decoded from JPEG 2000 states RGB where the original says %s',
  async (declared) => {
    const stream = compressedColors(together, jpeg2000, 16, 16);

    const { file, colours } = await had(
      { PhotometricInterpretation: declared, PlanarConfiguration: 0 },
      jpeg2000,
      stream,
    );

    expect(file).toEqual(rgb.flat());
    expect(colours).toBe('RGB');
  },
);

const htj2k = '1.2.840.10008.1.2.4.201';

/** The colors of `rgb`, encoded as HTJ2K with `ojph_compress -colour_trans false` of OpenJPH 0.9.0. */
const untransformed =
  '/0//UQAvQAAAAAAQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAADBwEBBwEBBwEB/1AACAACAAAAA/9SAAwAAgABAAEEBEAB/1wAByBQUFBY/2QAFgABT3BlbkpQSCBWZXIgMC45LjAu/5AACgAAAAABIQAB/5PAF6SA/1/7u/ttPnu/1qvzaTz6/3Z399t89n6tV+fTeOQLBMNQFMeRJMvSNL9RoGxwKqQOq0Rr8WrECteutaegQaBBAGgAAMYAADGzAcAXpQB8XnwcnQaHsVloFJkEBvF5eBydBoexWWgUmQQGBUFRJEnTRFFVZVnXBZILm4looxrJVrqZcKf8Fa9day9Ag0DHAGgAAMYAADGzAcAXogBluVyWZVmWZVmWZVmW5XJZlmVZlmVZlmVZlstlWZZlWZZlWZZlWS6XZVmWZVmWZVmWA9ev1l/Xr9Zf16/WX5DG5DGzAcATwBWAAOfAKUvmAN7d3d398nv3yey4AMATQBWA58ApS+YA/3//f/3ye/fJ7LgAAP/Z';

test('decodes HTJ2K colors without a color transform in the right order', async () => {
  const { frame, picture } = await had({ PlanarConfiguration: 0 }, htj2k, Buffer.from(untransformed, 'base64'));

  expect(picture).toEqual(rgb.flat());
  expect(frame).toEqual(rgb.flat());
});

const square = { Rows: 4, Columns: 4 };

/** The numbers above as unsigned 16-bit values, encoded by ojph_compress. */
const numbers = [-1024, -1, 0, 1, 1000, -32768, 32767, 5, -5, 2, 3, 4, 7, 8, -9, 10];
const withoutSign =
  '/0//UQApQAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAABDwEB/1AACAACAAAAC/9SAAwAAgABAAEEBEAB/1wAByCQkJCY/2QAFgABT3BlbkpQSCBWZXIgMC45LjAu/5AACgAAAAAATgAB/5PAABWAcJ7itt6nK9QCgbQAwAAVkAAFbAAArQhBb+H3f/O/AsM0AB234f8FepP/ewLBtAAWegoA9f9b/38BY5QA/9k=';

test('decodes signed values in an unsigned HTJ2K codestream completely', async () => {
  const elements = { ...square, BitsStored: 16, HighBit: 15, PixelRepresentation: 1, SamplesPerPixel: 1 };
  const { person, instance } = await withImage(elements, {
    transferSyntaxUID: htj2k,
    pixelData: [Buffer.from(withoutSign, 'base64')],
  });

  const { rawPayload } = await getFrom(person, `${instance}/frames/1`, {
    accept: `application/octet-stream; transfer-syntax=${explicitLittleEndian}`,
  });

  expect([...new Int16Array(Uint8Array.from(rawPayload).buffer)]).toEqual(numbers);
});

/** 0 to 240 in steps of 16, 8 bits, by opj_compress of OpenJPEG 2.5.0. */
const ofEightBits =
  '/0//UQApAAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAABBwEB/1IADAAAAAEAAAQEAAH/XAAEQED/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAAAdAAH/k9+AYBIPhJZC4bpt8c+9B//Z';

test('decodes JPEG 2000 of 8 bits into the 16 bits that its file allocates', async () => {
  const { person, instance } = await withImage(
    { ...square, BitsStored: 8, HighBit: 7 },
    { transferSyntaxUID: jpeg2000, pixelData: [Buffer.from(ofEightBits, 'base64')] },
  );

  const { rawPayload } = await getFrom(person, `${instance}/frames/1`, {
    accept: `application/octet-stream; transfer-syntax=${explicitLittleEndian}`,
  });

  expect([...new Uint16Array(Uint8Array.from(rawPayload).buffer)]).toEqual(
    Array.from({ length: 16 }, (_, index) => 16 * index),
  );
});

test('refuses JPEG 2000 with 16-bit colors, because half of each value would be lost', async () => {
  const { person, instance } = await withImage(
    { ...colour, BitsAllocated: 16, BitsStored: 16, HighBit: 15, PlanarConfiguration: 0 },
    { transferSyntaxUID: jpeg2000, pixelData: [compressedColors(together, jpeg2000, 16, 16)] },
  );

  const { statusCode, body } = await getFrom(person, `${instance}/rendered`);

  expect([statusCode, body]).toEqual([422, expect.stringContaining('more than 8 bits')]);
});
