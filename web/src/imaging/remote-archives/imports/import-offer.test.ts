import { expect, test } from 'vitest';
import { importJob, remoteStudy } from '#test/remote-archives.ts';
import { importOffer, partialInstanceCount } from './import-offer.ts';

const elsewhere = remoteStudy();
const here = remoteStudy({ studyId: 's1', storedInstanceCount: 412 });
const grown = remoteStudy({ studyId: 's1', instanceCount: 900, storedInstanceCount: 60 });

test.each([
  ['a study that is not here', elsewhere, undefined, 'Import'],
  ['a study that is here', here, undefined, 'Import again'],
  ['a queued one', elsewhere, importJob({ state: 'QUEUED' }), undefined],
  ['one on its way', here, importJob({ state: 'RUNNING' }), undefined],
  ['one that came in part', elsewhere, importJob({ state: 'PARTIAL', studyId: 's1' }), 'Retry'],
  [
    'one that missed what its archive has no more',
    remoteStudy({ studyId: 's1', instanceCount: 45 }),
    importJob({ state: 'PARTIAL', studyId: 's1', expected: 60, received: 45 }),
    'Import again',
  ],
  ['one that was cancelled', elsewhere, importJob({ state: 'CANCELLED' }), 'Retry'],
  ['one that came', elsewhere, importJob({ state: 'DONE', studyId: 's1', received: 412 }), undefined],
  ['one that has grown since', grown, importJob({ state: 'DONE', studyId: 's1', received: 60 }), 'Import again'],
  ['one that came and was deleted since', here, importJob({ state: 'DONE', studyId: null }), 'Import'],
])('the search chooses the import button for %s', (_, study, job, offer) => {
  expect(importOffer(study, job, 'IMPORT')).toBe(offer);
});

test.each([
  ['of which some is here', grown, undefined, 60],
  [
    'of which more has come since the search',
    grown,
    importJob({ state: 'PARTIAL', studyId: 's1', received: 400 }),
    400,
  ],
  ['that is here whole', { ...grown, storedInstanceCount: 900 }, undefined, undefined],
  ['that its archive does not count', { ...grown, instanceCount: null }, undefined, undefined],
  ['that is not here', elsewhere, undefined, undefined],
])('the search result counts the stored instances of a study %s', (_, study, job, part) => {
  expect(partialInstanceCount(study, job)).toBe(part);
});
