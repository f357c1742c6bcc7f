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
  ['without a transfer syntax', { [tag.AvailableTransferSyntaxUID]: of() }],
  ['in color', { [tag.SamplesPerPixel]: of(3), [tag.PhotometricInterpretation]: of('RGB') }],
  ['of type MONOCHROME1', { [tag.PhotometricInterpretation]: of('MONOCHROME1') }],
  ['with a modality LUT', { [tag.ModalityLUTSequence]: of({}) }],
  ['with a VOI LUT', { [tag.VOILUTSequence]: of({}) }],
  ['with a sigmoid window', { [tag.VOILUTFunction]: of('SIGMOID') }],
  ['with inverted grays', { [tag.PresentationLUTShape]: of('INVERSE') }],
  ['of PET', { [tag.Modality]: of('PT') }],
  ['with non-square pixels', { [tag.PixelSpacing]: of(0.7, 0.9) }],
  ['with non-square pixels of unknown size', { [tag.PixelAspectRatio]: of(1, 2) }],
  ['with an overlay', { '60000010': of(4) }],
  ['with functional groups', { [tag.SharedFunctionalGroupsSequence]: of({}) }],
  ['without a window', { [tag.WindowCenter]: of() }],
  ['with a window of width 1', { [tag.WindowWidth]: of(1) }],
  ['with a high bit of 15', { [tag.HighBit]: of(15) }],
  ['of 32 bits', { [tag.BitsAllocated]: of(32) }],
])('our own renderer does not draw an image %s and leaves it to the imaging library', (_, more) => {
  expect(plainGrayOf({ ...slice, ...more })).toBeUndefined();
});
