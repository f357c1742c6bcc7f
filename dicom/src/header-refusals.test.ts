import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tagOf } from './dictionary.ts';
import { DicomError } from './dicom-error.ts';
import { readHeader, type HeaderOptions } from './header.ts';
import { writePart10 } from './part10.ts';
import {
  rawElement,
  rawItem,
  sampleDataset,
  sampleFile,
  sampleJpeg,
  sampleWithoutPixels,
  withBytes,
} from './sample-files.ts';
import { itemDelimitationTag, itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

const refusal = (file: Buffer, options?: HeaderOptions): DicomError => {
  try {
    readHeader(file, options);
  } catch (error) {
    if (error instanceof DicomError) return error;
    throw error;
  }
  throw new Error('The file was accepted');
};

const isAccepted = (file: Buffer): boolean => {
  try {
    return readHeader(file) !== undefined;
  } catch {
    return false;
  }
};

const nested = (depth: number, isClosed: boolean): Buffer =>
  Buffer.concat([
    sampleWithoutPixels(),
    ...Array.from({ length: depth }, () =>
      Buffer.concat([
        rawElement('0040A730', 'SQ', undefined, undefinedLength),
        rawItem(itemTag, undefined, undefinedLength),
      ]),
    ),
    ...Array.from({ length: isClosed ? depth : 0 }, () =>
      Buffer.concat([rawItem(itemDelimitationTag), rawItem(sequenceDelimitationTag)]),
    ),
  ]);

test.each([
  ['an empty file', Buffer.alloc(0), 'The file is empty.'],
  ['a file of a few letters', Buffer.from('hello'), 'This is not a DICOM file.'],
  [
    'a PNG image',
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500, 7)]),
    'This is not a DICOM file.',
  ],
  ['a file of zeros', Buffer.alloc(4096), 'This is not a DICOM file.'],
  ['a file with another word in place of DICM', withBytes(sampleFile(), 'DICM', 'DICN'), 'This is not a DICOM file.'],
])('the reader refuses %s as not DICOM', (_, file, message) => {
  expect(refusal(file)).toMatchObject({ code: 'NOT_DICOM', message });
});

test('the reader distinguishes the DICOMDIR of a disc from an image', () => {
  const directory = sampleFile({ SOPClassUID: '1.2.840.10008.1.3.10' });

  expect(refusal(directory)).toMatchObject({
    code: 'DICOMDIR',
    message: 'The file is a disc directory (DICOMDIR), not an image.',
  });
});

test('a file that is cut within an element is refused as truncated', () => {
  const file = sampleFile();
  const elements = 19;

  const cuts = Array.from({ length: file.length - 132 }, (_, index) => file.subarray(0, 132 + index));
  const codes = cuts.map((cut) => (isAccepted(cut) ? 'accepted' : refusal(cut).code));

  const others = codes.filter((code) => code !== 'TRUNCATED');
  expect(others.length).toBeLessThanOrEqual(elements);
  expect(new Set(others)).toEqual(new Set(['UID', 'accepted']));
});

test('a value longer than the file is refused, for any declared length', () => {
  for (const length of [5, 0xffff, 0x4000_0000, 0x7fff_fffe, 0xffff_fffe]) {
    const file = Buffer.concat([sampleWithoutPixels(), rawElement('00331001', 'UT', Buffer.from('abcd'), length)]);

    expect(refusal(file).code).toBe('TRUNCATED');
  }
});

test('pixel data longer than the file is refused after reading only its beginning', () => {
  const file = sampleFile();

  expect(refusal(file.subarray(0, -1)).code).toBe('TRUNCATED');
  expect(refusal(file.subarray(0, -12), { fileSize: file.length - 1 }).code).toBe('TRUNCATED');
});

test('contradictory lengths are refused', () => {
  const uid = rawElement('00081155', 'UR', Buffer.from('1.2 '));
  const codes = [-7, 1, 2, 1000].map((difference) => {
    const item = rawItem(itemTag, uid, uid.length + difference);
    return refusal(Buffer.concat([sampleWithoutPixels(), rawElement('00081140', 'SQ', item), uid])).code;
  });

  expect(new Set(codes)).toEqual(new Set(['LENGTH']));
});

test('a sequence without an end is refused', () => {
  expect(refusal(nested(1, false)).code).toBe('TRUNCATED');
  expect(refusal(nested(20, false)).code).toBe('TRUNCATED');
});

test('32 levels of nested sequences are read, and more are refused', () => {
  expect(readHeader(nested(32, true)).dataset['0040A730']?.vr).toBe('SQ');
  expect(refusal(nested(33, true)).code).toBe('LIMIT');
  expect(refusal(nested(50_000, true)).code).toBe('LIMIT');
});

test.each([
  ['an item delimiter', rawItem(itemDelimitationTag)],
  ['a sequence delimiter', rawItem(sequenceDelimitationTag)],
  ['an item', rawItem(itemTag, Buffer.from('abcd'))],
  ['no VR', Buffer.concat([rawElement('00331001', '??', Buffer.from('abcd')), Buffer.alloc(8, 0xee)])],
  ['an element of a command', rawElement('00000902', 'UN', Buffer.from('abcd'))],
  ['a sequence without items', rawElement('00081140', 'SQ', Buffer.from('no items'))],
  ['an icon without fragments', rawElement('00880200', 'OB', rawElement('00331001', 'UN'), undefinedLength)],
])('a file with %s in place of an element is refused as damaged', (_, bytes) => {
  expect(refusal(Buffer.concat([sampleWithoutPixels(), bytes]))).toMatchObject({
    code: 'STRUCTURE',
    message: 'The file header is damaged.',
  });
});

test('only sequences and binary values may have an undefined length', () => {
  const text = rawElement('00331001', 'UT', Buffer.from('abcd'), undefinedLength);

  expect(refusal(Buffer.concat([sampleWithoutPixels(), text])).code).toBe('LENGTH');
});

test.each(['', '..', '../../etc/passwd', '1.2..3', '1.2.', `1.${'9'.repeat(63)}`, '1.2.3\\1.2.4', '１.２', "1.2'--"])(
  'a study, series or instance with the UID "%s" is refused',
  (uid) => {
    for (const keyword of ['StudyInstanceUID', 'SeriesInstanceUID', 'SOPInstanceUID', 'SOPClassUID']) {
      const refused = refusal(sampleFile({ [keyword]: uid }));

      expect(refused.code).toBe('UID');
      expect(refused.message).toContain(keyword);
    }
  },
);

test('a file without study or series UID is refused, and the message names the missing element', () => {
  expect(refusal(sampleFile({ StudyInstanceUID: undefined })).message).toBe('The file has no StudyInstanceUID.');
  expect(refusal(sampleFile({ SeriesInstanceUID: undefined })).code).toBe('UID');
});

test.each(['PatientName', 'PatientID', 'StudyInstanceUID', 'SeriesInstanceUID', 'SOPInstanceUID', 'SOPClassUID'])(
  'a file that contains the element %s twice is refused',
  (keyword) => {
    const again = rawElement(tagOf(keyword), 'UT', Buffer.from('1.2 '));

    expect(refusal(Buffer.concat([sampleWithoutPixels(), again]))).toMatchObject({
      code: 'DUPLICATE',
      message: 'The file identifies the patient or image twice.',
    });
  },
);

test('names and identifiers of excessive length are refused', () => {
  expect(refusal(sampleFile({ PatientName: 'x'.repeat(5000) })).code).toBe('LIMIT');
});

test('a file with missing, damaged, contradictory or endless meta information is refused', () => {
  const file = sampleFile();
  const meta = Buffer.from('UI\x14\x001.2.840.10008.1.2.1\0', 'latin1');
  const at = file.indexOf(meta) - 4;
  const element = file.subarray(at, at + 28);
  const inserted = (bytes: Buffer) => Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
  const removed = Buffer.concat([file.subarray(0, at), file.subarray(at + 28)]);

  expect(refusal(removed).code).toBe('META');
  expect(refusal(inserted(element)).code).toBe('META');
  expect(refusal(inserted(withBytes(element, 'UI', '??'))).code).toBe('META');
  expect(refusal(inserted(Buffer.concat(Array(300).fill(rawElement('00020102', 'OB'))))).code).toBe('META');
});

test('a file with an unknown or missing transfer syntax is refused', () => {
  const declaring = (uid: string) => withBytes(sampleFile(), '1.2.840.10008.1.2.1\0', uid.padEnd(20, '\0'));

  expect(refusal(declaring('1.2.840.113619.5.2')).code).toBe('TRANSFER_SYNTAX');
  expect(refusal(declaring('../../x')).code).toBe('TRANSFER_SYNTAX');
  expect(refusal(declaring('')).code).toBe('META');
});

test('a file whose pixels contradict its transfer syntax is refused', () => {
  const claimsJpeg = withBytes(sampleFile(), '1.2.840.10008.1.2.1\0', '1.2.840.10008.1.2.5\0');
  const claimsNative = withBytes(sampleJpeg([Buffer.alloc(4)]), '1.2.840.10008.1.2.4.50', '1.2.840.10008.1.2.1\0\0\0');

  expect(refusal(claimsJpeg).code).toBe('PIXEL');
  expect(refusal(claimsNative).code).toBe('PIXEL');
});

const deflated = (contents: Buffer) => {
  const file = writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1.99', dataset: sampleDataset });
  const start = 144 + file.readUInt32LE(140);
  return Buffer.concat([file.subarray(0, start), contents]);
};

test('a file that inflates beyond the limit is refused after little work', () => {
  const bomb = deflated(deflateRawSync(Buffer.alloc(65 << 20)));

  expect(bomb.length).toBeLessThan(100_000);
  expect(refusal(bomb)).toMatchObject({
    code: 'BOMB',
    message: 'The decompressed file exceeds 64 MiB.',
  });
});

test('a truncated, damaged or too large deflated file is refused', () => {
  const compressed = deflateRawSync(Buffer.alloc(5000, 'DICOM'));

  expect(refusal(deflated(compressed.subarray(0, -5))).code).toBe('TRUNCATED');
  expect(refusal(deflated(Buffer.alloc(50, 255))).code).toBe('STRUCTURE');
  expect(refusal(deflated(compressed), { fileSize: 65 << 20 }).code).toBe('LIMIT');
});

test('every limit of a file is enforced', () => {
  const many = sampleWithoutPixels({
    PatientComments: 'Ärger'.repeat(100),
    '00091001 US': Array.from({ length: 200 }, (_, index) => index),
    ReferencedImageSequence: Array.from({ length: 100 }, () => ({})),
  });

  expect(() => readHeader(many)).not.toThrow();
  expect(refusal(many, { limits: { elements: 100 } }).code).toBe('LIMIT');
  expect(refusal(many, { limits: { values: 150 } }).code).toBe('LIMIT');
  expect(refusal(many, { limits: { textBytes: 300 } }).code).toBe('LIMIT');
  expect(refusal(many, { limits: { headerBytes: 1000 } }).code).toBe('LIMIT');
});
