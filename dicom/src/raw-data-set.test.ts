import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DicomError, NeedMoreBytes } from './dicom-error.ts';
import { writeDataSet } from './element-writer.ts';
import { writePart10 } from './part10.ts';
import { readRawBlob } from './raw-blob.ts';
import { readRawFile, textOfRaw } from './raw-data-set.ts';
import { rawElement, rawItem, sampleDataset, sampleFile, samplePixels, sampleWithoutPixels } from './sample-files.ts';
import { explicitBigEndian, explicitLittleEndian, implicitLittleEndian } from './transfer-syntax.ts';

const nested = { ProcedureCodeSequence: [{ CodeValue: 'A', PurposeOfReferenceCodeSequence: [{ CodeValue: 'B' }] }] };

test.each([implicitLittleEndian, explicitLittleEndian, explicitBigEndian])(
  'a data set in $name is written as it was read',
  (syntax) => {
    const dataset = { ...sampleDataset, ...nested };
    const file = writePart10({ transferSyntaxUID: syntax.uid, dataset, pixelData: samplePixels });

    const raw = readRawFile(file);
    const rewrittenFile = writeDataSet(raw.dataSet, raw.syntax);

    expect(raw.syntax.uid).toBe(syntax.uid);
    expect(file.includes(Buffer.from(rewrittenFile))).toBe(true);
    expect(raw.pixelData).toMatchObject({ offset: file.length - samplePixels.length, length: samplePixels.length });
  },
);

test('a data set without meta information is recognized', () => {
  const file = sampleFile();
  const start = file.indexOf(Buffer.from([0x08, 0x00, 0x05, 0x00]));

  const raw = readRawFile(file.subarray(start));

  expect(raw.fileMeta).toEqual([]);
  expect(textOfRaw(raw.dataSet, '00100020')).toBe('P-1');
});

test('a sequence of VR UN stays of VR UN when read and written', () => {
  const item = rawItem('FFFEE000', Buffer.from('0800000104000000' + '41420000'.slice(0, 8), 'hex'));
  const file = Buffer.concat([sampleWithoutPixels(), rawElement('00409096', 'UN', item)]);

  const raw = readRawFile(file);
  const sequence = raw.dataSet.at(-1);

  expect(sequence?.value).toEqual([[{ tag: '00080100', vr: 'SH', value: expect.anything() }]]);
  expect(file.includes(Buffer.from(writeDataSet(raw.dataSet.slice(-1), raw.syntax)))).toBe(true);
});

test('the raw reader reads only as much of a file as the header needs', async () => {
  const file = sampleFile({ PatientComments: 'x'.repeat(9000) });

  expect(() => readRawFile(file.subarray(0, 4096), file.length)).toThrow(NeedMoreBytes);

  const raw = await readRawBlob(new Blob([new Uint8Array(file)]));
  expect(raw.pixelData?.length).toBe(samplePixels.length);
});

test('fragments before the pixels are copied and count toward the header limit', () => {
  const fragments = rawElement('00091001', 'OB', rawItem('FFFEE000'), 0xffff_ffff);
  const file = Buffer.concat([sampleWithoutPixels(), fragments]);
  const length = 70 << 20;
  file.writeUInt32LE(length, file.length - 4);

  expect(() => readRawFile(file, file.length + length + 1024)).toThrow(expect.objectContaining({ code: 'LIMIT' }));
});

test.each([
  ['text', Buffer.from('These are my notes about the patient, and no image at all.'), 'NOT_DICOM'],
  ['an empty file', Buffer.alloc(0), 'NOT_DICOM'],
  ['a file that ends within an element', sampleWithoutPixels().subarray(0, -3), 'TRUNCATED'],
  [
    'a deflated file',
    writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1.99', dataset: sampleDataset }),
    'TRANSFER_SYNTAX',
  ],
])('the raw reader refuses %s with a reason', (_, file, code) => {
  expect(() => readRawFile(file)).toThrow(expect.objectContaining({ code }));
});

const malformed = join(import.meta.dirname, '../../../shared/dicom/malformed');

const outcomeOf = (file: Buffer): unknown => {
  try {
    return readRawFile(file);
  } catch (error) {
    return error instanceof DicomError ? error.code : error;
  }
};

test.skipIf(!existsSync(malformed))(
  'malformed files are read or refused with a known code (skipped without ../shared/dicom)',
  () => {
    const outcomes = readdirSync(malformed).map((name) => outcomeOf(readFileSync(join(malformed, name))));

    expect(outcomes.filter((outcome) => outcome instanceof Error)).toEqual([]);
  },
);
