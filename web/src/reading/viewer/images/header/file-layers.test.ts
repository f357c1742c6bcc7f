import { expect, test } from 'vitest';
import { type DicomJson, tag } from './dicom-json.ts';
import { fileLayersOf, hasFileLayers } from './file-layers.ts';

const data = (bytes: number[]) => ({ vr: 'OB', InlineBinary: btoa(String.fromCharCode(...bytes)) });
const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const image = (more: DicomJson, syntax = '1.2.840.10008.1.2.1'): DicomJson => ({
  [tag.AvailableTransferSyntaxUID]: of(syntax),
  [tag.PhotometricInterpretation]: of('MONOCHROME2'),
  [tag.SamplesPerPixel]: of(1),
  [tag.Rows]: of(4),
  [tag.Columns]: of(4),
  [tag.BitsAllocated]: of(16),
  [tag.BitsStored]: of(12),
  [tag.HighBit]: of(11),
  ...more,
});
const inBits = { '60000100': of(16), '60000102': of(12) };

test.each([
  ['in its own bytes', { '60003000': data([0, 4]) }],
  ['in bulk data', { '60023000': { vr: 'OW', BulkDataURI: '/bulkdata/60023000' } }],
  ['in the last overlay group', { '601E3000': data([1, 0]) }],
  ['in bits that the pixels do not use', inBits],
])('an overlay plane is found %s', (_, header) => {
  expect(fileLayersOf(image(header))).toMatchObject({ planes: [{ rows: 4, columns: 4 }], undrawnPlanes: 0 });
});

test.each([
  ['no overlay element', {}],
  ['only the size of an overlay', { '60000010': of(512), '60000100': of(1), '60000102': of(0) }],
  ['an empty overlay', { '60003000': data([0, 0]) }],
  ['private data of the scanner', { '60013000': data([1, 1]) }],
])('an image with %s has no overlay plane', (_, header) => {
  expect(fileLayersOf(image(header))).toMatchObject({ planes: [], undrawnPlanes: 0 });
  expect(hasFileLayers(image(header))).toBe(false);
});

test.each([
  ['in compressed pixels', image(inBits, '1.2.840.10008.1.2.4.70')],
  ['in a bit of the pixels themselves', image({ '60000100': of(16), '60000102': of(3) })],
  ['without a size', image({ [tag.Rows]: of(), '60003000': data([1, 0]) })],
])('an overlay plane %s is counted as not drawn', (_, header) => {
  expect(fileLayersOf(header)).toMatchObject({ planes: [], undrawnPlanes: 1 });
});

test('an image knows its shutter, also that of a frame', () => {
  const inFrame = {
    [tag.PerFrameFunctionalGroupsSequence]: of({
      [tag.FrameDisplayShutterSequence]: of({ [tag.ShutterShape]: of('CIRCULAR') }),
    }),
  };

  expect(fileLayersOf(image({ [tag.ShutterShape]: of('RECTANGULAR') })).hasShutter).toBe(true);
  expect(fileLayersOf(image(inFrame)).hasShutter).toBe(true);
  expect(fileLayersOf(image({})).hasShutter).toBe(false);
});

test('color tables of a grayscale image count only if the file asks for color', () => {
  const tables = { [tag.RedPaletteColorLookupTableData]: data([1, 0]) };

  expect(fileLayersOf(image({ ...tables, [tag.PixelPresentation]: of('COLOR') }))).toMatchObject({
    isSupplemented: true,
    hasUnusedColors: false,
  });
  expect(fileLayersOf(image(tables))).toMatchObject({ isSupplemented: false, hasUnusedColors: true });
});
