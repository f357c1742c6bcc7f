import { expect, test } from 'vitest';
import { compressed } from '#test/compress-pixels.ts';
import { checkCodestream } from './codestream.ts';
import { NotRenderable } from './pixel-format.ts';

const pixels = Buffer.alloc(2 * 24 * 16, 3);
const size = { columns: 24, rows: 16 };

const streams = [
  ['jpeg-lossless', compressed(pixels, '1.2.840.10008.1.2.4.70', 24, 16)],
  ['jpeg-ls', compressed(pixels, '1.2.840.10008.1.2.4.80', 24, 16)],
  ['jpeg2000', compressed(pixels, '1.2.840.10008.1.2.4.90', 24, 16)],
  ['htj2k', compressed(pixels, '1.2.840.10008.1.2.4.201', 24, 16)],
] as const;

test.for(streams)('refuses a %s image whose codestream has another size than the header', ([codec, stream]) => {
  expect(() => checkCodestream(codec, stream, size)).not.toThrow();
  expect(() => checkCodestream(codec, stream, { columns: 16, rows: 24 })).toThrow(
    'The compressed image has a different size than the file states.',
  );
});

test.for(streams)('refuses a %s image whose codestream ends too early', ([codec, stream]) => {
  for (const length of [0, 1, 2, 6, 10]) {
    expect(() => checkCodestream(codec, stream.subarray(0, length), size)).toThrow(NotRenderable);
  }
});

test('refuses a JPEG of hundreds of scans, which would keep a decoder busy', () => {
  const scan = Buffer.from([0xff, 0xda, 0, 2]);
  const stream = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 300 }, () => scan)]);

  expect(() => checkCodestream('jpeg', stream, size)).toThrow('The compressed image would take too long to decode.');
});

test('refuses a JPEG 2000 with more pixels or tiles than a decoder can hold', () => {
  const claiming = (side: number, tile: number) => {
    const stream = Buffer.from(compressed(pixels, '1.2.840.10008.1.2.4.90', 24, 16));
    for (const at of [8, 12]) stream.writeUInt32BE(side, at);
    for (const at of [24, 28]) stream.writeUInt32BE(tile, at);
    return () => checkCodestream('jpeg2000', stream, { columns: side, rows: side });
  };

  expect(claiming(20_000, 20_000)).toThrow('The image is too large to render.');
  expect(claiming(4000, 16)).toThrow('The compressed image would take too long to decode.');
  expect(claiming(4000, 256)).not.toThrow();
});

test('refuses formats without a decoder, and accepts formats that do not state a size', () => {
  expect(() => checkCodestream('video', Buffer.alloc(10), size)).toThrow('This compression is not supported.');
  expect(() => checkCodestream('none', Buffer.alloc(0), size)).not.toThrow();
});
