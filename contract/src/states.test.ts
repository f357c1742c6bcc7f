import { expect, test } from 'vitest';
import { canMove, statesBefore } from './core/moves.ts';
import { readPriority } from './core/priorities.ts';
import { reportMoves } from './reading/report-status.ts';
import { reportStatuses } from './imaging/study-marks.ts';
import { progressOf, studyMoves, studyStatuses } from './imaging/study-status.ts';

/** Returns all allowed transitions, in the order of the specification. */
const pairs = <S extends string>(states: readonly S[], moves: Record<S, readonly S[]>) =>
  states.flatMap((from) => states.filter((to) => canMove(moves, from, to)).map((to) => `${from}->${to}`));

test('a study changes its status only as specified', () => {
  expect(pairs(studyStatuses, studyMoves)).toEqual([
    'PENDING->ASSIGNED',
    'PENDING->IN_PROGRESS',
    'PENDING->CANCELLED',
    'ASSIGNED->IN_PROGRESS',
    'ASSIGNED->CANCELLED',
    'IN_PROGRESS->COMPLETED',
    'IN_PROGRESS->CANCELLED',
    'COMPLETED->ARCHIVED',
    'CANCELLED->ARCHIVED',
  ]);
});

test('a report changes its status only as specified', () => {
  expect(pairs(reportStatuses, reportMoves)).toEqual([
    'DRAFT->PENDING_REVIEW',
    'DRAFT->FINALIZED',
    'PENDING_REVIEW->REVISION_REQUIRED',
    'PENDING_REVIEW->APPROVED',
    'REVISION_REQUIRED->PENDING_REVIEW',
    'APPROVED->FINALIZED',
  ]);
  expect(statesBefore(reportMoves, 'FINALIZED')).toEqual(['DRAFT', 'APPROVED']);
});

test('the progress of a study never decreases with a change of status, and is 0 for an unknown status', () => {
  const backwards = studyStatuses.flatMap((from) =>
    studyMoves[from].filter((to) => progressOf(to) < progressOf(from)).map((to) => `${from}->${to}`),
  );

  expect(studyStatuses.map(progressOf)).toEqual([10, 20, 40, 95, 95, 100]);
  expect(backwards).toEqual([]);
  expect(progressOf('UNHEARD_OF')).toBe(0);
});

test.each([
  ['stat', 'STAT'],
  ['High', 'URGENT'],
  ['asap', 'URGENT'],
  ['normal', 'ROUTINE'],
  ['medium', 'ROUTINE'],
  ['low', 'ROUTINE'],
  ['whenever', undefined],
])('the priority "%s" is read as %s', (text, priority) => {
  expect(readPriority(text)).toBe(priority);
});
