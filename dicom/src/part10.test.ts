import { expect, test } from 'vitest';
import { readHeader } from './header.ts';
import { writePart10, type Elements } from './part10.ts';
import { sampleDataset, samplePixels } from './sample-files.ts';

const dataset: Elements = {
  ...sampleDataset,
  PatientName: 'Müller^Jörg=山田',
  PixelRepresentation: 1,
  SmallestImagePixelValue: -5,
  PixelSpacing: [1 / 3, -1e-7 / 3],
  WindowCenter: [40, 400],
  FrameIncrementPointer: '00181063',
  AccessionNumber: [],
  StudyID: undefined,
  LUTData: [1, 2],
  ReferencedSeriesSequence: [
    { SeriesInstanceUID: '1.2', ReferencedInstanceSequence: [{ ReferencedSOPInstanceUID: '1.2.3' }, {}] },
  ],
  '00090010 LO': 'RADWORK',
  '00091001 FD': [1.5, 2.5],
  '00091002 OF': Buffer.from([0, 0, 0x80, 0x3f]),
  '00091003 SV': [-2],
};

test.each([
  ['explicit little endian', '1.2.840.10008.1.2.1'],
  ['explicit big endian', '1.2.840.10008.1.2.2'],
  ['deflated', '1.2.840.10008.1.2.1.99'],
])('a file written in %s can be read again', (_, transferSyntaxUID) => {
  const header = readHeader(writePart10({ transferSyntaxUID, dataset, pixelData: samplePixels }));

  expect(header).toMatchObject({ transferSyntaxUID, sopInstanceUID: '2.25.103', warnings: [] });
  expect(header.dataset).toMatchObject({
    '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
    '00080050': { vr: 'SH' },
    '00091001': { vr: 'FD', Value: [1.5, 2.5] },
    '00091002': { vr: 'OF', InlineBinary: 'AACAPw==' },
    '00091003': { vr: 'SV', Value: [-2] },
    '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Müller^Jörg', Ideographic: '山田' }] },
    '00280009': { vr: 'AT', Value: ['00181063'] },
    '00280106': { vr: 'SS', Value: [-5] },
    '00281050': { vr: 'DS', Value: [40, 400] },
    '00283006': { vr: 'US', Value: [1, 2] },
    '00081115': { vr: 'SQ', Value: [{ '0020000E': { vr: 'UI', Value: ['1.2'] } }] },
  });
  expect(header.dataset['00200010']).toBeUndefined();
});

test('a file written in implicit VR can be read again, with private elements as unknown', () => {
  const explicit = readHeader(writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1', dataset: sampleDataset }));

  const implicit = readHeader(writePart10({ transferSyntaxUID: '1.2.840.10008.1.2', dataset: sampleDataset }));
  const withPrivate = readHeader(writePart10({ transferSyntaxUID: '1.2.840.10008.1.2', dataset }));

  expect(implicit.dataset).toEqual(explicit.dataset);
  expect(withPrivate.dataset['00090010']).toEqual({ vr: 'LO', Value: ['RADWORK'] });
  expect(withPrivate.dataset['00091002']).toEqual({ vr: 'UN', InlineBinary: 'AACAPw==' });
});

test('the written meta information contains its length and the SOP UIDs', () => {
  const file = writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1', dataset });

  const { fileMeta } = readHeader(file);
  const groupLength = file.readUInt32LE(140);

  expect(file.toString('latin1', 144 + groupLength + 4, 144 + groupLength + 6)).toBe('CS');
  expect(fileMeta).toMatchObject({
    '00020002': { Value: [sampleDataset.SOPClassUID] },
    '00020003': { Value: [sampleDataset.SOPInstanceUID] },
    '00020010': { Value: ['1.2.840.10008.1.2.1'] },
  });
});

test('written decimal strings are as exact as 16 characters allow', () => {
  const { dataset: read } = readHeader(writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1', dataset }));

  expect(read['00280030']?.Value).toEqual([0.33333333333333, -3.3333333333e-8]);
});

test('values that cannot be written throw an error', () => {
  const write = (differences: Elements, transferSyntaxUID = '1.2.840.10008.1.2.1') =>
    writePart10({ transferSyntaxUID, dataset: { ...sampleDataset, ...differences } });

  expect(() => write({ NoSuchKeyword: 1 })).toThrow('NoSuchKeyword');
  expect(() => write({ PatientComments: 'x'.repeat(70_000) })).toThrow('65,535');
  expect(() => write({ ReferencedSeriesSequence: 'x' })).toThrow('sequence');
  expect(() => write({ Rows: 70_000 })).toThrow(RangeError);
  expect(() => write({}, '1.2.3')).toThrow('1.2.3');
});
