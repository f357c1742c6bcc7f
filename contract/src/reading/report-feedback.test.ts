import { expect, test } from 'vitest';
import { feedbackVersions } from './report-feedback.ts';
import type { ReportAction } from './report-status.ts';

/** History of a report, newest first. Each entry is the user and the action. */
const historyOf = (...oldestFirst: (readonly ['author' | 'other', ReportAction])[]) =>
  oldestFirst.map(([id, action], index) => ({ version: index + 1, action, actor: { id } })).toReversed();

const compared = (...oldestFirst: Parameters<typeof historyOf>) => {
  const versions = feedbackVersions(historyOf(...oldestFirst), 'author');
  return versions && [versions.from, versions.to];
};

test('compares the first submitted text with the signed text', () => {
  expect(
    compared(
      ['author', 'CREATED'],
      ['author', 'REVIEW_REQUESTED'],
      ['other', 'REVISION_REQUESTED'],
      ['author', 'SAVED'],
      ['author', 'REVIEW_REQUESTED'],
      ['other', 'APPROVED'],
      ['author', 'FINALIZED'],
    ),
  ).toEqual([2, 7]);
});

test('without a review, compares the last text of the author with the text that a colleague signed', () => {
  expect(
    compared(
      ['author', 'CREATED'],
      ['author', 'SAVED'],
      ['other', 'SAVED'],
      ['author', 'SAVED'],
      ['other', 'FINALIZED'],
    ),
  ).toEqual([2, 5]);
});

test('an approved report is compared before it is signed', () => {
  expect(compared(['author', 'CREATED'], ['author', 'REVIEW_REQUESTED'], ['other', 'APPROVED'])).toEqual([2, 3]);
});

test('gives no feedback on a report that no colleague approved or signed', () => {
  expect(compared(['author', 'CREATED'], ['other', 'SAVED'], ['author', 'FINALIZED'])).toBeUndefined();
  expect(compared(['author', 'CREATED'], ['author', 'REVIEW_REQUESTED'])).toBeUndefined();
});

test('gives no feedback if a colleague changed the text before the author saved any', () => {
  expect(compared(['other', 'CREATED'], ['other', 'FINALIZED'])).toBeUndefined();
});
