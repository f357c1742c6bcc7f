import { numberOf, textOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { expect, test } from 'vitest';
import { openImage } from './image-file.ts';
import { largeInstances, simpleInstance } from './instance.ts';

test('a simple instance is a small CT image by default', () => {
  const { dataset, valueAt } = openImage(simpleInstance());

  expect(textOf(dataset, 'Modality')).toBe('CT');
  expect([numberOf(dataset, 'Rows'), numberOf(dataset, 'Columns')]).toEqual([16, 16]);
  expect(valueAt(0, 5)).toBe(5 - 1024);
});

test('any element of a simple instance can be replaced, added or removed', () => {
  const bytes = simpleInstance({
    PatientID: 'P-2',
    PatientName: undefined,
    BodyPartExamined: 'HEAD',
    '00091010 LO': 'x',
  });

  const { dataset } = readHeader(bytes);

  expect(textOf(dataset, 'PatientID')).toBe('P-2');
  expect(dataset['00100010']).toBeUndefined();
  expect(textOf(dataset, 'BodyPartExamined')).toBe('HEAD');
  expect(dataset['00091010']?.Value).toEqual(['x']);
});

test('the pixels of a simple instance match its size and transfer syntax', () => {
  const bytes = simpleInstance({ Rows: 8, Columns: 4 }, { transferSyntaxUID: '1.2.840.10008.1.2' });

  const { pixelData, transferSyntaxUID } = readHeader(bytes);

  expect(pixelData?.length).toBe(64);
  expect(transferSyntaxUID).toBe('1.2.840.10008.1.2');
});

test('a simple instance can have no pixels or other pixels', () => {
  const without = readHeader(simpleInstance({ Modality: 'SR' }, { pixelData: null }));
  const own = simpleInstance({ Rows: 1, Columns: 2 }, { pixelData: Buffer.from([7, 0, 9, 0]) });

  expect(without.pixelData).toBeUndefined();
  expect(openImage(own).valueAt(0, 1)).toBe(9 - 1024);
});

test('large instances form one series of different files of about half a megabyte', () => {
  const files = [...largeInstances(3)];
  const headers = files.map(({ bytes }) => readHeader(bytes));

  const uids = new Set(headers.map(({ sopInstanceUID }) => sopInstanceUID));
  const series = new Set(headers.map(({ seriesInstanceUID }) => seriesInstanceUID));
  expect(uids.size).toBe(3);
  expect(series.size).toBe(1);
  expect(files.map(({ name }) => name)).toEqual(['CT/0001.dcm', 'CT/0002.dcm', 'CT/0003.dcm']);
  for (const { bytes } of files) expect(bytes.length / (512 * 512 * 2)).toBeCloseTo(1, 2);
  expect(files.map(({ bytes }) => openImage(bytes).valueAt(0, 0))).toEqual([-1023, -1022, -1021]);
});

test('two sets of large instances share no UIDs if the sets have different lengths', () => {
  const [one] = largeInstances(1, 16);
  const [other] = largeInstances(2, 16);

  const uids = [one, other].map((file) => readHeader(file?.bytes ?? Buffer.alloc(0)).sopInstanceUID);

  expect(uids[0]).not.toBe(uids[1]);
});
