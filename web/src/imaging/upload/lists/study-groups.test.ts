import { expect, test } from 'vitest';
import { instanceSummary, uploadItem } from '#test/upload.ts';
import { countNamedVariously, patientsOf, studyGroups } from './study-groups.ts';

test('the list counts files by study, with their series and states', () => {
  const groups = studyGroups([
    uploadItem('IM1', { state: 'Uploaded', studyId: 's1' }),
    uploadItem('IM2', { state: 'Failed', summary: instanceSummary({ seriesInstanceUID: '2.25.9', modality: 'SR' }) }),
    uploadItem('IM3', { summary: instanceSummary({ studyInstanceUID: '2.25.7', patientKey: 'bob' }) }),
  ]);

  expect(groups).toMatchObject([
    {
      studyInstanceUID: '2.25.1',
      modalities: ['CT', 'SR'],
      series: 2,
      bytes: 8,
      files: { Pending: 0, Uploading: 0, Uploaded: 1, Failed: 1 },
      studyId: 's1',
    },
    { studyInstanceUID: '2.25.7', series: 1, studyId: undefined },
  ]);
  expect(patientsOf(groups).map(({ patientKey }) => patientKey)).toEqual(['ada', 'bob']);
});

test('a study whose files name two patients becomes two groups', () => {
  const groups = studyGroups([
    uploadItem('IM1'),
    uploadItem('IM2', { summary: instanceSummary({ patientKey: 'bob', patientName: 'Doe, Bob' }) }),
  ]);

  expect(groups.map(({ patientName }) => patientName)).toEqual(['Phantom, Ada', 'Doe, Bob']);
});

test('a second name of a patient within a study is counted, and a missing name is not', () => {
  const studyNamed = (name: string) =>
    uploadItem('IM1', { summary: instanceSummary({ comparableName: name, patientName: name }) });

  expect(countNamedVariously(studyGroups([studyNamed('DOE^JANE'), studyNamed('DOE^JANE^M')]))).toBe(1);
  expect(countNamedVariously(studyGroups([studyNamed('DOE^JANE'), studyNamed('')]))).toBe(0);
});

test('files with unreadable headers form one group without a patient', () => {
  const groups = studyGroups([uploadItem('IM1', { summary: undefined }), uploadItem('IM2', { summary: undefined })]);

  expect(groups).toMatchObject([{ studyInstanceUID: '', series: 0, files: { Pending: 2 } }]);
  expect(patientsOf(groups)).toEqual([]);
});
