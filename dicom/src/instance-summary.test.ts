import { expect, test } from 'vitest';
import { tagOf } from './dictionary.ts';
import { asciiValue, writeDataSet, writeFileStart } from './element-writer.ts';
import { isDicomdir, referencedFiles, summaryOf } from './instance-summary.ts';
import { type Elements, writePart10 } from './part10.ts';
import { readRawFile } from './raw-data-set.ts';
import { sampleFile } from './sample-files.ts';
import { explicitLittleEndian } from './transfer-syntax.ts';

const summary = (elements: Parameters<typeof sampleFile>[0]) => summaryOf(readRawFile(sampleFile(elements)));

test('the summary of a file describes patient and study in readable form', () => {
  const result = summary({
    PatientName: 'Müller^Ada',
    PatientBirthDate: '19500101',
    PatientSex: 'F',
    StudyDate: '20261120',
    StudyDescription: 'CT Schädel',
    Modality: 'CT',
  });

  expect(result).toMatchObject({
    studyInstanceUID: '2.25.101',
    seriesInstanceUID: '2.25.102',
    sopInstanceUID: '2.25.103',
    patientName: 'Müller, Ada',
    patientID: 'P-1',
    birthDate: '1950-01-01',
    sex: 'F',
    studyDate: '2026-11-20',
    modality: 'CT',
    studyDescription: 'CT Schädel',
  });
});

test('the summary of a file decodes text in any character set', () => {
  const name = Buffer.concat([Buffer.from('M'), Buffer.from([0xfc]), Buffer.from('ller^Ada')]);

  expect(summary({ SpecificCharacterSet: 'ISO_IR 100', PatientName: name }).patientName).toBe('Müller, Ada');
});

test('two spellings of one name are one patient, and two names with one Patient ID are two patients', () => {
  const { patientKey } = summary({ PatientName: 'DOE^JANE' });

  expect(summary({ PatientName: 'Doe^Jane^^' }).patientKey).toBe(patientKey);
  expect(summary({ PatientName: 'Roe^Richard' }).patientKey).not.toBe(patientKey);
  expect(summary({ PatientName: 'DOE^JANE', IssuerOfPatientID: 'Elsewhere' }).patientKey).not.toBe(patientKey);
});

test('two studies without a Patient ID belong to two patients, whatever the names', () => {
  const unknown = { PatientID: '', PatientName: 'UNKNOWN^TRAUMA' };
  const { patientKey } = summary(unknown);

  expect(summary({ ...unknown, SOPInstanceUID: '2.25.104' }).patientKey).toBe(patientKey);
  expect(summary({ ...unknown, StudyInstanceUID: '2.25.201' }).patientKey).not.toBe(patientKey);
});

test('an ultrasound image may show names unless its header says that it shows none', () => {
  expect(summary({ Modality: 'US' }).mayShowText).toBe(true);
  expect(summary({ Modality: 'US', BurnedInAnnotation: 'NO' }).mayShowText).toBe(false);
  expect(summary({ SOPClassUID: '1.2.840.10008.5.1.4.1.1.2', Modality: 'CT' }).mayShowText).toBe(false);
  expect(
    summary({ SOPClassUID: '1.2.840.10008.5.1.4.1.1.2', Modality: 'CT', BurnedInAnnotation: 'YES' }).mayShowText,
  ).toBe(true);
});

const directoryOf = (records: Elements[]) =>
  readRawFile(
    writePart10({
      transferSyntaxUID: explicitLittleEndian.uid,
      dataset: {
        SOPClassUID: '1.2.840.10008.1.3.10',
        SOPInstanceUID: '2.25.1',
        DirectoryRecordSequence: records,
      },
    }),
  );

test('the files that a DICOMDIR names are listed', () => {
  const file = directoryOf([
    { DirectoryRecordType: 'PATIENT' },
    { DirectoryRecordType: 'IMAGE', ReferencedFileID: ['DICOM', 'IM000001'] },
    { DirectoryRecordType: 'IMAGE', ReferencedFileID: ['DICOM', 'IM000002'] },
  ]);

  expect(isDicomdir(file)).toBe(true);
  expect(referencedFiles(file)).toEqual(['DICOM/IM000001', 'DICOM/IM000002']);
});

test('a DICOMDIR with 20,000 detailed images is read to its end', () => {
  const attributes = Array.from({ length: 20 }, (_, index) => ({
    tag: `002800${index + 16}`,
    vr: 'US',
    value: Uint8Array.of(1, 0),
  }));
  const record = [{ tag: tagOf('ReferencedFileID'), vr: 'CS', value: asciiValue('IM1', 'CS') }, ...attributes];
  const sequence = { tag: tagOf('DirectoryRecordSequence'), vr: 'SQ', value: [record] };
  const ofOne = Buffer.from(writeDataSet([sequence], explicitLittleEndian));
  const [header, item] = [ofOne.subarray(0, 12), ofOne.subarray(12)];
  const items = Array.from({ length: 20_000 }, () => item);
  header.writeUInt32LE(items.length * item.length, 8);
  const start = writeFileStart({
    transferSyntaxUID: explicitLittleEndian.uid,
    sopClassUID: '1.2.840.10008.1.3.10',
    sopInstanceUID: '2.25.1',
  });

  const file = readRawFile(Buffer.concat([start, header, ...items]));

  expect(referencedFiles(file)).toHaveLength(20_000);
});

test('an image is no DICOMDIR and names no files', () => {
  const file = readRawFile(sampleFile());

  expect(isDicomdir(file)).toBe(false);
  expect(referencedFiles(file)).toEqual([]);
});
