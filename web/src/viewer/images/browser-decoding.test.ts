import { expect, test } from 'vitest';
import { headersFor, isLeftToServer, learnDecoding, reasonShownWrong, whyShownWrong } from './browser-decoding.ts';
import { type DicomJson, tag } from './dicom-json.ts';

const header = (transferSyntax: string, bits: number, photometric: string, samples = 1): DicomJson => ({
  [tag.AvailableTransferSyntaxUID]: { vr: 'UI', Value: [transferSyntax] },
  [tag.BitsAllocated]: { vr: 'US', Value: [bits] },
  [tag.SamplesPerPixel]: { vr: 'US', Value: [samples] },
  [tag.PhotometricInterpretation]: { vr: 'CS', Value: [photometric] },
});

test.each([
  ['12-bit JPEG, whose values the browser rounds', '1.2.840.10008.1.2.4.51', 16, 'MONOCHROME2', true],
  ['12-bit JPEG in progressive form', '1.2.840.10008.1.2.4.55', 16, 'MONOCHROME2', true],
  ['8-bit JPEG Extended', '1.2.840.10008.1.2.4.51', 8, 'MONOCHROME2', false],
  ['JPEG whose colours are red, green and blue', '1.2.840.10008.1.2.4.50', 8, 'RGB', true],
  ['JPEG as it usually is', '1.2.840.10008.1.2.4.50', 8, 'YBR_FULL_422', false],
  ['JPEG 2000', '1.2.840.10008.1.2.4.90', 16, 'MONOCHROME2', false],
] as const)('%s: decoded by the server %s', (_, transferSyntax, bits, photometric, expected) => {
  expect(isLeftToServer(header(transferSyntax, bits, photometric))).toBe(expected);
});

test('a frame that the server decodes is asked for without compression, whichever frame it is', () => {
  learnDecoding('wadors:/a/instances/1/frames/1', header('1.2.840.10008.1.2.4.51', 16, 'MONOCHROME2'));

  expect(headersFor('wadors:/a/instances/1/frames/3')['Accept']).toContain('transfer-syntax=1.2.840.10008.1.2.1');
  expect(headersFor('wadors:/a/instances/2/frames/1')).toEqual({});
});

test('colours of more than 8 bits are covered with the reason, grey of 16 bits is shown', () => {
  learnDecoding('wadors:/a/instances/9/frames/1', header('1.2.840.10008.1.2.1', 16, 'RGB', 3));

  expect(whyShownWrong('wadors:/a/instances/9/frames/1')).toContain('16 bits');
  expect(reasonShownWrong(header('1.2.840.10008.1.2.1', 16, 'MONOCHROME2'))).toBeUndefined();
  expect(reasonShownWrong(header('1.2.840.10008.1.2.1', 8, 'RGB', 3))).toBeUndefined();
});
