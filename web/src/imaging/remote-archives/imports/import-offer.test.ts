import { expect, test } from 'vitest';
import { importJob, remoteStudy } from '#test/remote-archives.ts';
import { importOffer, partialInstanceCount } from './import-offer.ts';

const elsewhere = remoteStudy();
const stored = remoteStudy({ studyId: 's1', storedInstanceCount: 412 });
const grown = remoteStudy({ studyId: 's1', instanceCount: 900, storedInstanceCount: 60 });

test.each([
  ['a study that is not stored here', elsewhere, undefined, 'Import'],
  ['a study that is stored here', stored, undefined, 'Import again'],
  ['a study whose import is queued', elsewhere, importJob({ state: 'QUEUED' }), undefined],
  ['a study whose import is running', stored, importJob({ state: 'RUNNING' }), undefined],
  ['a partly imported study', elsewhere, importJob({ state: 'PARTIAL', studyId: 's1' }), 'Retry'],
  [
    'a partly imported study whose missing images left the archive',
    remoteStudy({ studyId: 's1', instanceCount: 45 }),
    importJob({ state: 'PARTIAL', studyId: 's1', expected: 60, received: 45 }),
    'Import again',
  ],
  ['a study whose import was canceled', elsewhere, importJob({ state: 'CANCELLED' }), 'Retry'],
  ['an imported study', elsewhere, importJob({ state: 'DONE', studyId: 's1', received: 412 }), undefined],
  [
    'an imported study that has grown since',
    grown,
    importJob({ state: 'DONE', studyId: 's1', received: 60 }),
    'Import again',
  ],
  ['an imported study that was deleted since', stored, importJob({ state: 'DONE', studyId: null }), 'Import'],
])('the search chooses the import button for %s', (_, study, job, offer) => {
  expect(importOffer(study, job, 'IMPORT')).toBe(offer);
});

test.each([
  ['some instances are stored', grown, undefined, 60],
  [
    'more instances arrived since the search',
    grown,
    importJob({ state: 'PARTIAL', studyId: 's1', received: 400 }),
    400,
  ],
  ['all instances are stored', { ...grown, storedInstanceCount: 900 }, undefined, undefined],
  ['the archive does not count the instances', { ...grown, instanceCount: null }, undefined, undefined],
  ['no instance is stored', elsewhere, undefined, undefined],
])('a search result counts stored instances only of a partly stored study: %s', (_, study, job, part) => {
  expect(partialInstanceCount(study, job)).toBe(part);
});
