import { expect, test } from 'vitest';
import { textOf } from './dataset.ts';
import { NeedMoreBytes } from './dicom-error.ts';
import { readHeader } from './header.ts';
import { writePart10 } from './part10.ts';
import {
  rawElement,
  rawItem,
  sampleDataset,
  sampleFile,
  sampleJpeg,
  samplePixels,
  sampleWithoutPixels,
  withBytes,
} from './sample.ts';
import { itemDelimitationTag, itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

test('a header says who the image is, how it is encoded and where its pixels are', () => {
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

test('compressed pixel data has no length', () => {
  const header = readHeader(sampleJpeg([Buffer.from('frame')]));

  expect(header.pixelData).toMatchObject({ vr: 'OB', length: undefined });
});

test('group lengths are read and left out', () => {
  const file = Buffer.concat([sampleWithoutPixels(), rawElement('60000000', 'UN', Buffer.alloc(4))]);

  expect(readHeader(file).dataset['60000000']).toBeUndefined();
});

test('the beginning of a long file is enough, and tells when it is not', () => {
  const long = sampleFile({ '00111001 UT': 'x'.repeat(60_000) });
  const asked: number[] = [];
  const read = (length: number): ReturnType<typeof readHeader> => {
    try {
      return readHeader(long.subarray(0, length), { fileSize: long.length });
    } catch (error) {
      if (!(error instanceof NeedMoreBytes)) throw error;
      asked.push(error.wanted);
      return read(error.wanted);
    }
  };

  const header = read(100);

  expect(header).toEqual(readHeader(long));
  expect(asked.length).toBeGreaterThan(2);
  expect(asked).toEqual(asked.toSorted((one, other) => one - other));
  expect(asked.every((wanted) => wanted <= long.length)).toBe(true);
});

test('pixels and other bytes that are left in the file are not asked for', () => {
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

test('few bytes go into the JSON, many stay in the file and are pointed at', () => {
  const few = Buffer.from('few bytes.');
  const many = Buffer.alloc(1026, 7);
  const file = sampleFile({ '00091001 OB': few, ReferencedImageSequence: [{}, { '00091002 UN': many }] });

  const { dataset, bulk } = readHeader(file);

  expect(dataset['00091001']).toEqual({ vr: 'OB', InlineBinary: few.toString('base64') });
  const uri = 'bulkdata/00081140/2/00091002';
  expect(dataset['00081140']?.Value?.[1]).toEqual({ '00091002': { vr: 'UN', BulkDataURI: uri } });
  expect(bulk).toEqual([{ uri, vr: 'UN', offset: file.indexOf(many), length: many.length }]);
});

test('long lists of numbers and long texts stay in the file too', () => {
  const file = sampleFile({ '00091001 FD': Array.from({ length: 1025 }, () => 1), TextValue: 'x'.repeat(65_538) });

  const { dataset } = readHeader(file);

  expect(dataset['00091001']).toEqual({ vr: 'FD', BulkDataURI: 'bulkdata/00091001' });
  expect(dataset['0040A160']).toEqual({ vr: 'UT', BulkDataURI: 'bulkdata/0040A160' });
});

test('a file without preamble, or without meta information, is read when it can be nothing but DICOM', () => {
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

  const found = [
    file.subarray(132),
    file.subarray(metaLength),
    bigEndian.subarray(144 + bigEndian.readUInt32LE(140)),
    implicit.subarray(144 + implicit.readUInt32LE(140)),
  ].map((bytes) => readHeader(bytes));

  expect(found.map(({ transferSyntaxUID }) => transferSyntaxUID)).toEqual([
    '1.2.840.10008.1.2.1',
    '1.2.840.10008.1.2.1',
    '1.2.840.10008.1.2.2',
    '1.2.840.10008.1.2',
  ]);
  expect(found.map(({ sopInstanceUID }) => sopInstanceUID)).toEqual(Array(4).fill('2.25.103'));
  expect(found.every(({ warnings }) => warnings.includes('The file has no DICOM preamble.'))).toBe(true);
});

test.each([
  ['implicit', '1.2.840.10008.1.2\0\0\0', '1.2.840.10008.1.2.1'],
  ['big endian', '1.2.840.10008.1.2.2\0', '1.2.840.10008.1.2.1'],
])('a file that wrongly says it is %s is read as what it is', (_, lie, truth) => {
  const header = readHeader(withBytes(sampleFile(), '1.2.840.10008.1.2.1\0', lie));

  expect(header.transferSyntaxUID).toBe(truth);
  expect(header.sopInstanceUID).toBe('2.25.103');
  expect(header.warnings).toEqual(['The file is not encoded as it says. It was read as it is.']);
});

test('a deflated file is unpacked, and offsets count from there', () => {
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

test('a sequence may have a length or a delimiter, and so may its items', () => {
  const uid = rawElement('00081155', 'UR', Buffer.from('1.2 '));
  const items = [
    Buffer.concat([rawItem(itemTag, uid), rawItem(itemTag, uid, undefinedLength), rawItem(itemDelimitationTag)]),
    rawItem(itemTag),
  ];
  const body = Buffer.concat(items);
  const withLength = rawElement('00081140', 'SQ', body);
  const withDelimiter = rawElement(
    '00081199',
    'SQ',
    Buffer.concat([body, rawItem(sequenceDelimitationTag)]),
    undefinedLength,
  );

  const { dataset } = readHeader(Buffer.concat([sampleWithoutPixels(), withLength, withDelimiter]));

  const item = { '00081155': { vr: 'UR', Value: ['1.2'] } };
  expect(dataset['00081140']).toEqual({ vr: 'SQ', Value: [item, item, {}] });
  expect(dataset['00081199']).toEqual({ vr: 'SQ', Value: [item, item, {}] });
});

test('what the sender did not know is read with what PS3.6 knows', () => {
  const implicitItem = rawItem(itemTag, Buffer.from([0x08, 0, 0x50, 0x11, 4, 0, 0, 0, ...Buffer.from('1.2\0')]));
  const unknown = [
    rawElement('00321060', 'UN', Buffer.from('Thorax')),
    rawElement('00321064', 'UN', implicitItem),
    rawElement('00331001', 'UN', Buffer.concat([implicitItem, rawItem(sequenceDelimitationTag)]), undefinedLength),
    rawElement('00331002', 'UN', Buffer.from('private!')),
  ];

  const { dataset } = readHeader(Buffer.concat([sampleWithoutPixels(), ...unknown]));

  const items = [{ '00081150': { vr: 'UI', Value: ['1.2'] } }];
  expect(dataset['00321060']).toEqual({ vr: 'LO', Value: ['Thorax'] });
  expect(dataset['00321064']).toEqual({ vr: 'SQ', Value: items });
  expect(dataset['00331001']).toEqual({ vr: 'SQ', Value: items });
  expect(dataset['00331002']).toEqual({ vr: 'UN', InlineBinary: Buffer.from('private!').toString('base64') });
});

test('an icon inside a compressed file is pointed at, compressed or not', () => {
  const fragments = Buffer.concat([
    rawItem(itemTag),
    rawItem(itemTag, Buffer.from('icon')),
    rawItem(sequenceDelimitationTag),
  ]);
  const icon = rawElement('7FE00010', 'OB', fragments, undefinedLength);
  const sequence = rawElement('00880200', 'SQ', rawItem(itemTag, icon));

  const { dataset, bulk, pixelData } = readHeader(Buffer.concat([sampleWithoutPixels(), sequence]));

  const uri = 'bulkdata/00880200/1/7FE00010';
  expect(dataset['00880200']?.Value).toEqual([{ '7FE00010': { vr: 'OB', BulkDataURI: uri } }]);
  expect(bulk).toMatchObject([{ uri, length: fragments.length }]);
  expect(pixelData).toBeUndefined();
});

test('signed pixels make their limits signed', () => {
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2',
    dataset: { ...sampleDataset, PixelRepresentation: 1, PixelPaddingValue: -2000 },
    pixelData: samplePixels,
  });

  expect(readHeader(file).dataset['00280120']).toEqual({ vr: 'SS', Value: [-2000] });
});

test('an item may have a character set of its own', () => {
  const name = Buffer.from([0x4d, 0xfc, 0x6c]);
  const file = sampleFile({
    PatientName: 'Müller',
    ReferencedImageSequence: [{ SpecificCharacterSet: 'ISO_IR 100', StudyDescription: name }],
    StudyDescription: 'Schädel',
  });

  const { dataset, warnings } = readHeader(file);

  expect(textOf(dataset, 'PatientName')).toBe('Müller');
  expect(textOf(dataset, 'StudyDescription')).toBe('Schädel');
  expect(dataset['00081140']?.Value?.[0]).toMatchObject({ '00081030': { Value: ['Mül'] } });
  expect(warnings).toEqual([]);
});

test('SOP UIDs missing from the data set are taken from the meta information, and never the other way round', () => {
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

test('what is odd but harmless is accepted with a warning', () => {
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
    ['An element is there twice; the first one counts.'],
    ['The elements of the file are not in order.'],
    ['An element has a value representation that DICOM does not know.'],
    ['The file is filled up with zeros at its end.'],
  ]);
});

test.each([
  { Rows: 0 },
  { Columns: undefined },
  { Rows: undefined, '00280010 UL': 0x1_0001 },
  { NumberOfFrames: 0 },
  { NumberOfFrames: -1 },
  { NumberOfFrames: '1e9' },
  { SamplesPerPixel: 65_535 },
  { BitsAllocated: 12 },
  { BitsAllocated: undefined },
  { BitsStored: 32 },
  { HighBit: 40 },
  { Rows: 65_535, Columns: 65_535, NumberOfFrames: 1000 },
])('an image with impossible measures is stored but never decoded (case %#)', (measures) => {
  const header = readHeader(sampleFile(measures));

  expect(header.renderable).toBe(false);
  expect(header.warnings.join()).toContain('cannot be shown');
});

test('a report is no image, an image without pixels says so', () => {
  expect(readHeader(sampleWithoutPixels())).toMatchObject({ renderable: false, warnings: [] });
  expect(readHeader(sampleWithoutPixels({ Rows: 2, Columns: 3 }))).toMatchObject({
    pixelData: undefined,
    renderable: false,
    warnings: ['The image cannot be shown. The file has no pixels.'],
  });
});

test('neither warnings nor refusals quote the file', () => {
  const file = sampleFile({ PatientName: Buffer.from([0x53, 0x65, 0x63, 0x72, 0xe9, 0x74]), Rows: 0 });

  expect(readHeader(file).warnings.join()).not.toMatch(/Secr/);
  expect(() => readHeader(sampleFile({ StudyInstanceUID: 'Secret' }))).toThrow(/^(?!.*Secret)/);
});
