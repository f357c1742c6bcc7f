import { expect, test } from 'vitest';
import {
  asDecoded,
  headersFor,
  isLeftToServer,
  learnDecoding,
  reasonShownWrong,
  whyShownWrong,
} from './browser-decoding.ts';
import { type DicomJson, tag } from './dicom-json.ts';

const header = (transferSyntax: string, bits: number, photometric: string, samples = 1, planar?: 0 | 1): DicomJson => ({
  [tag.AvailableTransferSyntaxUID]: { vr: 'UI', Value: [transferSyntax] },
  [tag.BitsAllocated]: { vr: 'US', Value: [bits] },
  [tag.SamplesPerPixel]: { vr: 'US', Value: [samples] },
  [tag.PhotometricInterpretation]: { vr: 'CS', Value: [photometric] },
  ...(planar !== undefined && { [tag.PlanarConfiguration]: { vr: 'US', Value: [planar] } }),
});

test.each([
  ['12-bit JPEG, whose values the browser rounds', '1.2.840.10008.1.2.4.51', 16, 'MONOCHROME2', true],
  ['12-bit JPEG in progressive form', '1.2.840.10008.1.2.4.55', 16, 'MONOCHROME2', true],
  ['8-bit JPEG Extended', '1.2.840.10008.1.2.4.51', 8, 'MONOCHROME2', false],
  ['JPEG in RGB', '1.2.840.10008.1.2.4.50', 8, 'RGB', true],
  ['JPEG in YCbCr', '1.2.840.10008.1.2.4.50', 8, 'YBR_FULL_422', false],
  ['JPEG 2000', '1.2.840.10008.1.2.4.90', 16, 'MONOCHROME2', false],
  ['8-bit JPEG Extended in YCbCr', '1.2.840.10008.1.2.4.51', 8, 'YBR_FULL_422', true],
  ['JPEG-LS', '1.2.840.10008.1.2.4.80', 16, 'MONOCHROME2', false],
  ['JPEG-LS in color, which may be stored in planes', '1.2.840.10008.1.2.4.81', 8, 'RGB', true],
  ['HTJ2K', '1.2.840.10008.1.2.4.201', 16, 'MONOCHROME2', false],
  ['HTJ2K with a color transform', '1.2.840.10008.1.2.4.202', 8, 'YBR_RCT', false],
  ['HTJ2K without a color transform', '1.2.840.10008.1.2.4.201', 8, 'RGB', true],
  ['RLE', '1.2.840.10008.1.2.5', 16, 'MONOCHROME2', false],
  ['32-bit JPEG 2000, which the browser truncates', '1.2.840.10008.1.2.4.90', 32, 'MONOCHROME2', true],
  ['32-bit HTJ2K', '1.2.840.10008.1.2.4.201', 32, 'MONOCHROME2', true],
  ['32-bit RLE', '1.2.840.10008.1.2.5', 32, 'MONOCHROME2', true],
] as const)(
  'the server decodes what the browser cannot, and nothing else: %s (%s)',
  (_, transferSyntax, bits, photometric, expected) => {
    const samples = photometric === 'MONOCHROME2' ? 1 : 3;

    expect(isLeftToServer(header(transferSyntax, bits, photometric, samples))).toBe(expected);
  },
);

test.each([
  ['JPEG Extended', '1.2.840.10008.1.2.4.51', 'YBR_FULL_422', 0, 'RGB', 0],
  ['JPEG Extended', '1.2.840.10008.1.2.4.51', 'YBR_FULL', 0, 'RGB', 0],
  ['JPEG', '1.2.840.10008.1.2.4.50', 'YBR_FULL_422', 0, 'YBR_FULL_422', 0],
  ['JPEG-LS', '1.2.840.10008.1.2.4.80', 'YBR_FULL', 1, 'YBR_FULL', 1],
  ['JPEG 2000', '1.2.840.10008.1.2.4.91', 'YBR_ICT', 1, 'YBR_ICT', 0],
  ['HTJ2K', '1.2.840.10008.1.2.4.203', 'YBR_RCT', 1, 'YBR_RCT', 0],
  ['HTJ2K that the server decodes', '1.2.840.10008.1.2.4.203', 'RGB', 1, 'RGB', 1],
  ['no compression', '1.2.840.10008.1.2.1', 'RGB', 1, 'RGB', 1],
] as const)(
  'the colors of %s are described to the library as they arrive (%s, %s, %s)',
  (_, transferSyntax, photometric, planar, colours, order) => {
    const decoded = asDecoded(header(transferSyntax, 8, photometric, 3, planar));

    expect(decoded[tag.PhotometricInterpretation]?.Value).toEqual([colours]);
    expect(decoded[tag.PlanarConfiguration]?.Value).toEqual([order]);
  },
);

test('every frame of an instance that the server decodes is requested without compression', () => {
  learnDecoding('wadors:/a/instances/1/frames/1', header('1.2.840.10008.1.2.4.51', 16, 'MONOCHROME2'));

  expect(headersFor('wadors:/a/instances/1/frames/3')['Accept']).toContain('transfer-syntax=1.2.840.10008.1.2.1');
  expect(headersFor('wadors:/a/instances/2/frames/1')).toEqual({});
});

test('colors of more than 8 bits are refused with a reason, and 16 bits of gray are accepted', () => {
  learnDecoding('wadors:/a/instances/9/frames/1', header('1.2.840.10008.1.2.1', 16, 'RGB', 3));

  expect(whyShownWrong('wadors:/a/instances/9/frames/1')).toContain('16-bit');
  expect(reasonShownWrong(header('1.2.840.10008.1.2.1', 16, 'MONOCHROME2'))).toBeUndefined();
  expect(reasonShownWrong(header('1.2.840.10008.1.2.1', 8, 'RGB', 3))).toBeUndefined();
});
