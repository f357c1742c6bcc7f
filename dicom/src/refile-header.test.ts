import { expect, test } from 'vitest';
import { textOf, itemsOf, type DicomJson } from './dataset.ts';
import { readHeader } from './header.ts';
import { explicitLittleEndian } from './transfer-syntax.ts';
import { type Elements, writePart10 } from './part10.ts';
import { readRawFile } from './raw-data-set.ts';
import { refiledHeader } from './refile-header.ts';

const attributes = {
  PatientName: 'Мюллер^Anna',
  PatientID: 'P-2',
  PatientBirthDate: '',
  StudyInstanceUID: '2.25.900',
  AccessionNumber: '',
};

const refile = (dataset: Elements, isOtherPatient = true): DicomJson => {
  const file = writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.2',
      SOPInstanceUID: '2.25.3',
      SeriesInstanceUID: '2.25.2',
      StudyInstanceUID: '2.25.1',
      PatientName: 'Doe^Jane',
      ...dataset,
    },
  });
  const uids = new Map([
    ['2.25.2', '2.25.902'],
    ['2.25.3', '2.25.903'],
    ['2.25.4', '2.25.904'],
  ]);
  const copy = Buffer.concat(refiledHeader(readRawFile(file), { attributes, uids, isOtherPatient }));
  return readHeader(copy).dataset;
};

test('a copy names the new patient and study, with new UIDs', () => {
  const copy = refile({ PatientBirthDate: '19500101', AccessionNumber: 'A-1' });

  expect(textOf(copy, 'PatientName')).toBe('Мюллер^Anna');
  expect(textOf(copy, 'PatientBirthDate')).toBeUndefined();
  expect(textOf(copy, 'AccessionNumber')).toBeUndefined();
  expect(['StudyInstanceUID', 'SeriesInstanceUID', 'SOPInstanceUID'].map((keyword) => textOf(copy, keyword))).toEqual([
    '2.25.900',
    '2.25.902',
    '2.25.903',
  ]);
});

test('a copy keeps the text of the file in another character set', () => {
  const latin = Buffer.from('Schädel', 'latin1');
  const copy = refile({ SpecificCharacterSet: 'ISO_IR 100', SeriesDescription: latin });

  expect(textOf(copy, 'SeriesDescription')).toBe('Schädel');
});

test('references to moved images follow, with their study, and other references stay', () => {
  const reference = (study: string, sop: string) => ({
    StudyInstanceUID: study,
    ReferencedSeriesSequence: [{ ReferencedSOPSequence: [{ ReferencedSOPInstanceUID: sop }] }],
  });
  const copy = refile({
    CurrentRequestedProcedureEvidenceSequence: [reference('2.25.1', '2.25.4'), reference('2.25.1', '2.25.77')],
  });

  const items = itemsOf(copy, 'CurrentRequestedProcedureEvidenceSequence');
  expect(items.map((item) => textOf(item, 'StudyInstanceUID'))).toEqual(['2.25.900', '2.25.1']);
});

test('a copy for another patient drops what describes the first patient and order, and keeps the weight', () => {
  const dataset = {
    OtherPatientIDs: 'OLD',
    PatientWeight: 80,
    AdmittingDiagnosesDescription: 'Fracture',
    PhysiciansOfRecord: 'House^G',
    CurrentPatientLocation: 'Ward 3',
    RequestAttributesSequence: [{ RequestedProcedureID: 'R' }],
    OriginalAttributesSequence: [{ ModifiedAttributesSequence: [{ PatientName: 'Doe^J' }] }],
  };
  const [other, same] = [refile(dataset), refile(dataset, false)];

  expect(textOf(other, 'OtherPatientIDs')).toBeUndefined();
  expect(textOf(other, 'PatientWeight')).toBe('80');
  expect(itemsOf(other, 'RequestAttributesSequence')).toEqual([]);
  expect(textOf(same, 'OtherPatientIDs')).toBe('OLD');
  const described = ['AdmittingDiagnosesDescription', 'PhysiciansOfRecord', 'CurrentPatientLocation'];
  expect(described.flatMap((keyword) => textOf(other, keyword) ?? [])).toEqual([]);
  expect(described.flatMap((keyword) => textOf(same, keyword) ?? [])).toEqual(['Fracture', 'House^G', 'Ward 3']);
  expect([JSON.stringify(other).includes('Doe^J'), JSON.stringify(same).includes('Doe^J')]).toEqual([false, true]);
});

test('a copy drops the request and reason of the first examination, even for the same patient', () => {
  const ofOrder = {
    ReferencedRequestSequence: [{ AccessionNumber: 'A-1' }],
    RequestingPhysician: 'House^G',
    ReasonForStudy: 'Fall',
    ReasonForTheRequestedProcedure: 'Pain',
    ScheduledProcedureStepStartDate: '20261120',
    ScheduledProcedureStepStartTime: '071513',
  };
  const copy = JSON.stringify(refile(ofOrder, false));

  expect(['A-1', 'House', 'Fall', 'Pain', '20261120', '071513'].filter((value) => copy.includes(value))).toEqual([]);
});
