import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { plainGrayOf } from './plain-gray.ts';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const slice = {
  [tag.AvailableTransferSyntaxUID]: of('1.2.840.10008.1.2.1'),
  [tag.Modality]: of('CT'),
  [tag.SamplesPerPixel]: of(1),
  [tag.PhotometricInterpretation]: of('MONOCHROME2'),
  [tag.Rows]: of(4),
  [tag.Columns]: of(6),
  [tag.PixelSpacing]: of(0.7, 0.7),
  [tag.BitsAllocated]: of(16),
  [tag.BitsStored]: of(12),
  [tag.HighBit]: of(11),
  [tag.PixelRepresentation]: of(1),
  [tag.RescaleSlope]: of(2),
  [tag.RescaleIntercept]: of(-1024),
  [tag.WindowCenter]: of(40, -600),
  [tag.WindowWidth]: of(400, 1500),
} satisfies DicomJson;

test('our own renderer draws a plain slice with its slope and its first window', () => {
  expect(plainGrayOf(slice)).toEqual({
    rows: 4,
    columns: 6,
    bits: 16,
    isSigned: true,
    stored: { lower: -2048, upper: 2047 },
    slope: 2,
    intercept: -1024,
    range: { lower: -160, upper: 239 },
  });
});

test.each([
  ['compressed', { [tag.AvailableTransferSyntaxUID]: of('1.2.840.10008.1.2.4.90') }],
  ['big-endian', { [tag.AvailableTransferSyntaxUID]: of('1.2.840.10008.1.2.2') }],
  ['of a way of writing that nobody names', { [tag.AvailableTransferSyntaxUID]: of() }],
  ['in colour', { [tag.SamplesPerPixel]: of(3), [tag.PhotometricInterpretation]: of('RGB') }],
  ['white where it is lowest', { [tag.PhotometricInterpretation]: of('MONOCHROME1') }],
  ['mapped by a table', { [tag.ModalityLUTSequence]: of({}) }],
  ['seen through a table', { [tag.VOILUTSequence]: of({}) }],
  ['seen through a curve', { [tag.VOILUTFunction]: of('SIGMOID') }],
  ['shown the other way round', { [tag.PresentationLUTShape]: of('INVERSE') }],
  ['of uptake', { [tag.Modality]: of('PT') }],
  ['of pixels that are not square', { [tag.PixelSpacing]: of(0.7, 0.9) }],
  ['of pixels that are not square without mm', { [tag.PixelAspectRatio]: of(1, 2) }],
  ['with an overlay', { '60000010': of(4) }],
  ['described by frame', { [tag.SharedFunctionalGroupsSequence]: of({}) }],
  ['without a window', { [tag.WindowCenter]: of() }],
  ['with a window of no width', { [tag.WindowWidth]: of(1) }],
  ['of bits that lie elsewhere', { [tag.HighBit]: of(15) }],
  ['of 32 bits', { [tag.BitsAllocated]: of(32) }],
])('our own renderer does not draw an image %s and leaves it to the imaging library', (_, more) => {
  expect(plainGrayOf({ ...slice, ...more })).toBeUndefined();
});
