import { expect, test } from 'vitest';
import { importJob, remoteStudy } from '#test/remote-archives.ts';
import { importOffer } from './import-offer.ts';

const elsewhere = remoteStudy();
const here = remoteStudy({ studyId: 's1' });

test.each([
  ['a study that is not here', elsewhere, undefined, 'Import'],
  ['a study of which some is here', here, undefined, 'Import again'],
  ['a queued one', elsewhere, importJob({ state: 'QUEUED' }), undefined],
  ['one on its way', here, importJob({ state: 'RUNNING' }), undefined],
  ['one that came in part', elsewhere, importJob({ state: 'PARTIAL', studyId: 's1' }), 'Retry'],
  ['one that was cancelled', elsewhere, importJob({ state: 'CANCELLED' }), 'Retry'],
  ['one that came', elsewhere, importJob({ state: 'DONE', studyId: 's1' }), undefined],
  ['one that came and was deleted since', here, importJob({ state: 'DONE', studyId: null }), 'Import'],
])('for %s the offer is right', (_, study, job, offer) => {
  expect(importOffer(study, job, 'Import')).toBe(offer);
});
