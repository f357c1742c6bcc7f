import { expect, test } from 'vitest';
import { remoteStudy } from '#test/remote-archives.ts';
import { firstSort, sortStudies } from './sort-studies.ts';

const early = remoteStudy({ studyDate: '2026-03-11', patientName: 'Haddad, Noor', accessionNumber: 'A10' });
const late = remoteStudy({ studyDate: '2026-11-20', patientName: 'Çelik, Ada', accessionNumber: 'A9' });
const undated = remoteStudy({ studyDate: '', studyTime: '', patientName: 'ibarra, Tomás', accessionNumber: '' });

test('the newest study comes first, one without a date last', () => {
  expect(sortStudies([early, undated, late], firstSort)).toEqual([late, early, undated]);
});

test('names are sorted by language rules, numbers by value', () => {
  expect(sortStudies([undated, early, late], 'patientName,asc')).toEqual([late, early, undated]);
  expect(sortStudies([early, late], 'accession,asc')).toEqual([late, early]);
});
