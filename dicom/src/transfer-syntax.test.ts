import { expect, test } from 'vitest';
import { transferSyntaxOf } from './transfer-syntax.ts';

test('uncompressed transfer syntaxes differ in VR, byte order and deflation', () => {
  const facts = ['', '.1', '.1.99', '.2'].map((uid) => {
    const syntax = transferSyntaxOf(`1.2.840.10008.1.2${uid}`);
    return [syntax?.explicit, syntax?.littleEndian, syntax?.deflated, syntax?.encapsulated];
  });

  expect(facts).toEqual([
    [false, true, false, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, false, false, false],
  ]);
});

test.each([
  ['1.2.840.10008.1.2.1', 'none', 'application/octet-stream'],
  ['1.2.840.10008.1.2.4.50', 'jpeg', 'image/jpeg'],
  ['1.2.840.10008.1.2.4.70', 'jpeg-lossless', 'image/jpeg'],
  ['1.2.840.10008.1.2.4.80', 'jpeg-ls', 'image/jls'],
  ['1.2.840.10008.1.2.4.90', 'jpeg2000', 'image/jp2'],
  ['1.2.840.10008.1.2.4.201', 'htj2k', 'image/jphc'],
  ['1.2.840.10008.1.2.5', 'rle', 'image/dicom-rle'],
  ['1.2.840.10008.1.2.4.102', 'video', 'video/mp4'],
])('the codec of a frame in %s is %s, and its media type %s', (uid, codec, mediaType) => {
  expect(transferSyntaxOf(uid)).toMatchObject({ uid, codec, mediaType });
});

test('a private transfer syntax is unknown', () => {
  expect(transferSyntaxOf('1.2.840.113619.5.2')).toBeUndefined();
});
