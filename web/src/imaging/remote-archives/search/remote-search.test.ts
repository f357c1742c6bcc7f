import { expect, test } from 'vitest';
import { keysOf, remoteSearch } from './remote-search.ts';

test.each([
  [{}, ''],
  [{ startDate: '2026-11-01' }, '20261101-'],
  [{ endDate: '2026-11-21' }, '-20261121'],
  [{ startDate: '2026-11-01', endDate: '2026-11-21' }, '20261101-20261121'],
])('the search dates %j become the DICOM range "%s"', (days, studyDate) => {
  expect(keysOf(days).studyDate).toBe(studyDate);
});

test('empty fields in the address of a search are ignored', () => {
  expect(remoteSearch.parse({ configId: '', patientName: 'DOE', modality: '' })).toEqual({ patientName: 'DOE' });
});
