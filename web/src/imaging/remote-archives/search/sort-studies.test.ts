import { expect, test } from 'vitest';
import { remoteStudy } from '#test/remote-archives.ts';
import { firstSort, sortStudies } from './sort-studies.ts';

const early = remoteStudy({ studyDate: '2026-03-11', patientName: 'Haddad, Noor', accessionNumber: 'A10' });
const late = remoteStudy({ studyDate: '2026-11-20', patientName: 'Çelik, Ada', accessionNumber: 'A9' });
const undated = remoteStudy({ studyDate: '', studyTime: '', patientName: 'ibarra, Tomás', accessionNumber: '' });

test('the newest study comes first, and a study without a date last', () => {
  expect(sortStudies([early, undated, late], firstSort)).toEqual([late, early, undated]);
});

test('studies are sorted by name in the order of the language, and by number in numeric order', () => {
  expect(sortStudies([undated, early, late], 'patientName,asc')).toEqual([late, early, undated]);
  expect(sortStudies([early, late], 'accession,asc')).toEqual([late, early]);
});
