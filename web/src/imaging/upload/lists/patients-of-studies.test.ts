import { expect, test } from 'vitest';
import { instanceSummary, sourceOf } from '#test/upload.ts';
import { PatientsOfStudies } from './patients-of-studies.ts';

const patients = (...summaries: Parameters<typeof instanceSummary>[0][]) =>
  new PatientsOfStudies()
    .recognized(summaries.map((summary) => ({ source: sourceOf('IM1'), summary: instanceSummary(summary) })))
    .map(({ summary }) => summary?.patientKey);

const ada = { patientKey: 'ada' };

test('within a study, the Patient ID identifies the patient even if the spelling of the name differs', () => {
  expect(patients(ada, { patientKey: 'eda', comparableName: 'PHANTOM^EDA' })).toEqual(['ada', 'ada']);
});

test('files of one study and Patient ID count as two patients if the archive would separate them', () => {
  const john = { patientKey: 'john', patientName: 'Doe, John', birthDate: '1950-01-01', sex: 'M' };
  const jane = { patientKey: 'jane', patientName: 'Roe, Jane', birthDate: '1988-08-08', sex: 'F' };

  expect(patients(john, jane)).toEqual(['john', 'jane']);
  expect(patients(john, { ...jane, birthDate: '' })).toEqual(['john', 'jane']);
  expect(patients(john, { ...jane, birthDate: '1950-01-01' })).toEqual(['john', 'john']);
  expect(patients(john, { ...jane, birthDate: '', sex: 'O' })).toEqual(['john', 'john']);
  expect(patients(john, { ...jane, patientName: 'DOE, JOHN' })).toEqual(['john', 'john']);
  expect(patients(john, { ...jane, patientName: '' })).toEqual(['john', 'john']);
});

test('files with another Patient ID or issuer belong to another patient, also within a study', () => {
  expect(patients(ada, { patientKey: 'bob', patientID: 'P-2' })).toEqual(['ada', 'bob']);
  expect(patients({ ...ada, issuerOfPatientID: 'North' }, { patientKey: 'bob', issuerOfPatientID: 'South' })).toEqual([
    'ada',
    'bob',
  ]);
});

test('one Patient ID with two names in two studies counts as two patients', () => {
  const elsewhere = { patientKey: 'bob', comparableName: 'DOE^BOB', studyInstanceUID: '2.25.7' };

  expect(patients(ada, elsewhere)).toEqual(['ada', 'bob']);
});

test('a file without a Patient ID belongs to the patient of its study, unless it has another name', () => {
  const silent = { patientKey: 'nobody', patientID: '', comparableName: '' };

  expect(patients(ada, silent)).toEqual(['ada', 'ada']);
  expect(patients(ada, { ...silent, patientKey: 'bob', comparableName: 'DOE^BOB' })).toEqual(['ada', 'bob']);
});

test('a file with an unreadable header belongs to no patient', () => {
  const [file] = new PatientsOfStudies().recognized([{ source: sourceOf('IM1'), summary: undefined }]);

  expect(file?.summary).toBeUndefined();
});
