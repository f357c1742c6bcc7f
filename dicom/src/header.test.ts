import { expect, test } from 'vitest';
import { textOf } from './dataset.ts';
import { NeedMoreBytes } from './dicom-error.ts';
import { readHeader } from './header.ts';
import { writePart10 } from './part10.ts';
import {
  rawElement,
  sampleDataset,
  sampleFile,
  sampleJpeg,
  samplePixels,
  sampleWithoutPixels,
  withBytes,
} from './sample-files.ts';

test('a header contains the UIDs, the encoding and the position of the pixels', () => {
  const file = sampleFile();

  const header = readHeader(file);

  expect(header).toMatchObject({
    transferSyntaxUID: '1.2.840.10008.1.2.1',
    sopClassUID: '1.2.840.10008.5.1.4.1.1.7',
    sopInstanceUID: '2.25.103',
    studyInstanceUID: '2.25.101',
    seriesInstanceUID: '2.25.102',
    explicit: true,
    littleEndian: true,
    deflated: false,
    renderable: true,
    warnings: [],
    bulk: [],
    pixelData: { tag: '7FE00010', vr: 'OW', offset: file.length - samplePixels.length, length: samplePixels.length },
  });
  expect(header.dataset['00100010']).toEqual({ vr: 'PN', Value: [{ Alphabetic: 'Doe^Jane' }] });
  expect(header.dataset['7FE00010']).toBeUndefined();
  expect(Object.keys(header.dataset).some((tag) => tag.startsWith('0002') || tag.endsWith('0000'))).toBe(false);
});

test('compressed pixel data has no length in the header', () => {
  const header = readHeader(sampleJpeg([Buffer.from('frame')]));

  expect(header.pixelData).toMatchObject({ vr: 'OB', length: undefined });
});

test('the beginning of a long file is read, and the reader requests more when needed', () => {
  const long = sampleFile({ '00111001 UT': 'x'.repeat(60_000) });
  const requestedLengths: number[] = [];
  const read = (length: number): ReturnType<typeof readHeader> => {
    try {
      return readHeader(long.subarray(0, length), { fileSize: long.length });
    } catch (error) {
      if (!(error instanceof NeedMoreBytes)) throw error;
      requestedLengths.push(error.needed);
      return read(error.needed);
    }
  };

  const header = read(100);

  expect(header).toEqual(readHeader(long));
  expect(requestedLengths.length).toBeGreaterThan(2);
  expect(requestedLengths).toEqual(requestedLengths.toSorted((one, other) => one - other));
  expect(requestedLengths.every((length) => length <= long.length)).toBe(true);
});

test('the reader does not request pixels and other bytes that stay in the file', () => {
  const pixels = Buffer.alloc(100_000);
  const rows = { Rows: 100, Columns: 500, '00111001 OB': Buffer.alloc(5000) };
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1',
    dataset: { ...sampleDataset, ...rows },
    pixelData: pixels,
  });

  const header = readHeader(file.subarray(0, file.length - pixels.length), { fileSize: file.length });

  expect(header.pixelData?.length).toBe(pixels.length);
});

test('a file without preamble or meta information is read if it is certainly DICOM', () => {
  const file = sampleFile();
  const metaLength = 144 + file.readUInt32LE(140);
  const bigEndian = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.2',
    dataset: sampleDataset,
    pixelData: samplePixels,
  });
  const implicit = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2',
    dataset: sampleDataset,
    pixelData: samplePixels,
  });

  const headers = [
    file.subarray(132),
    file.subarray(metaLength),
    bigEndian.subarray(144 + bigEndian.readUInt32LE(140)),
    implicit.subarray(144 + implicit.readUInt32LE(140)),
  ].map((bytes) => readHeader(bytes));

  expect(headers.map(({ transferSyntaxUID }) => transferSyntaxUID)).toEqual([
    '1.2.840.10008.1.2.1',
    '1.2.840.10008.1.2.1',
    '1.2.840.10008.1.2.2',
    '1.2.840.10008.1.2',
  ]);
  expect(headers.map(({ sopInstanceUID }) => sopInstanceUID)).toEqual(Array(4).fill('2.25.103'));
  expect(headers.every(({ warnings }) => warnings.includes('The file has no DICOM preamble.'))).toBe(true);
});

test.each([
  ['implicit', '1.2.840.10008.1.2\0\0\0', '1.2.840.10008.1.2.1'],
  ['big endian', '1.2.840.10008.1.2.2\0', '1.2.840.10008.1.2.1'],
])('a file that wrongly declares %s is read by its actual encoding', (_, declared, truth) => {
  const header = readHeader(withBytes(sampleFile(), '1.2.840.10008.1.2.1\0', declared));

  expect(header.transferSyntaxUID).toBe(truth);
  expect(header.sopInstanceUID).toBe('2.25.103');
  expect(header.warnings).toEqual([
    'The encoding of the file differs from the one it declares. The actual encoding was used.',
  ]);
});

test('a deflated file is inflated, and its offsets count from the inflated data', () => {
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1.99',
    dataset: sampleDataset,
    pixelData: samplePixels,
  });

  const { inflated, pixelData, deflated } = readHeader(file);

  const offset = pixelData?.offset ?? 0;
  expect(deflated).toBe(true);
  expect(inflated?.subarray(offset, offset + samplePixels.length)).toEqual(samplePixels);
  expect(() => readHeader(file.subarray(0, 400), { fileSize: file.length })).toThrow(NeedMoreBytes);
});

test('missing SOP UIDs are taken from the meta information, which never replaces UIDs of the header', () => {
  const without = withBytes(
    sampleFile(),
    Buffer.from([0x08, 0, 0x18, 0, ...Buffer.from('UI')]),
    Buffer.from([0x08, 0, 0x19, 0, ...Buffer.from('UI')]),
  );
  const different = withBytes(sampleFile(), '2.25.103', '2.25.999');

  expect(readHeader(without).sopInstanceUID).toBe('2.25.103');
  expect(textOf(readHeader(without).dataset, 'SOPInstanceUID')).toBe('2.25.103');
  expect(readHeader(without).warnings).toHaveLength(1);
  expect(readHeader(different).fileMeta['00020003']?.Value).toEqual(['2.25.999']);
  expect(readHeader(different).sopInstanceUID).toBe('2.25.103');
  expect(readHeader(different).warnings).toHaveLength(1);
});

test('harmless irregularities in a file are accepted with a warning', () => {
  const file = sampleWithoutPixels();
  const odd = {
    twice: rawElement('00331001', 'LT', Buffer.from('1 ')),
    unordered: rawElement('00080070', 'UN', Buffer.from('Maker ')),
    unknownVr: rawElement('00331001', 'ZZ', Buffer.from('ab')),
    zeros: Buffer.alloc(500),
  };

  const warnings = [[odd.twice, odd.twice], [odd.unordered], [odd.unknownVr], [odd.zeros]].map(
    (elements) => readHeader(Buffer.concat([file, ...elements])).warnings,
  );

  expect(warnings).toEqual([
    ['An element appears twice; the first one is used.'],
    ['The elements of the file are out of order.'],
    ['An element has an unknown value representation.'],
    ['The file is padded with zeros at its end.'],
  ]);
});

test.each([
  { Rows: 0 },
  { Columns: undefined },
  { Rows: undefined, '00280010 UL': 0x1_0001 },
  { NumberOfFrames: '1e9' },
  { SamplesPerPixel: 65_535 },
  { BitsAllocated: 12 },
  { BitsAllocated: undefined },
  { BitsStored: 32 },
  { HighBit: 40 },
  { Rows: 65_535, Columns: 65_535, NumberOfFrames: 1000 },
])('an image with invalid dimensions is stored but never decoded (case %#)', (measures) => {
  const header = readHeader(sampleFile(measures));

  expect(header.renderable).toBe(false);
  expect(header.warnings.join()).toContain('cannot be shown');
});

test('a structured report is no image, and an image without pixels has a warning', () => {
  expect(readHeader(sampleWithoutPixels())).toMatchObject({ renderable: false, warnings: [] });
  expect(readHeader(sampleWithoutPixels({ Rows: 2, Columns: 3 }))).toMatchObject({
    pixelData: undefined,
    renderable: false,
    warnings: ['The image cannot be shown. The file has no pixels.'],
  });
});

test('neither warnings nor errors quote the content of a file', () => {
  const file = sampleFile({ PatientName: Buffer.from([0x53, 0x65, 0x63, 0x72, 0xe9, 0x74]), Rows: 0 });

  expect(readHeader(file).warnings.join()).not.toMatch(/Secr/);
  expect(() => readHeader(sampleFile({ StudyInstanceUID: 'Secret' }))).toThrow(/^(?!.*Secret)/);
});
