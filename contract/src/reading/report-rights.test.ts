import { expect, test } from 'vitest';
import { defaultPermissions } from '../core/access.ts';
import {
  finalizableStates,
  type NewReportFacts,
  refuseNewReport,
  type ReportFacts,
  reportRightsOf,
} from './report-rights.ts';
import { reportStatuses } from '../imaging/study-marks.ts';

const radiologist = defaultPermissions.RADIOLOGIST;
const readersOnly = radiologist.filter((permission) => permission !== 'study.assign');

const stranger: ReportFacts = {
  status: 'DRAFT',
  studyStatus: 'IN_PROGRESS',
  isReviewRequired: false,
  permissions: radiologist,
  isMember: true,
  isAuthor: false,
  isReviewer: false,
  isAssigned: false,
  readBy: null,
};

const author = { isAuthor: true };
const reviewer = { isReviewer: true };
const assigned = { isAssigned: true };
const colleague = { name: 'Rex Reviewer', since: '2026-11-22 09:12' };

/**
 * One letter per allowed action: E edit, Q request review, S submit review, R reroute review, F finalize, A add
 * addendum, H share, C add critical finding.
 */
const letters = (facts: Partial<ReportFacts>): string => {
  const rights = reportRightsOf({ ...stranger, ...facts });
  return [
    rights.canEdit && 'E',
    rights.canRequestReview && 'Q',
    rights.canSubmitReview && 'S',
    rights.canRerouteReview && 'R',
    rights.canFinalize && 'F',
    rights.canAddend && 'A',
    rights.canShare && 'H',
    rights.canAddCriticalFinding && 'C',
  ]
    .filter(Boolean)
    .join('');
};

const inEveryState = (facts: Partial<ReportFacts>) => reportStatuses.map((status) => letters({ ...facts, status }));

test.each<[string, Partial<ReportFacts>, string[]]>([
  ['the author', author, ['EQFC', 'RC', 'EQC', 'FC', 'AHC']],
  ['the author, if a review is required,', { ...author, isReviewRequired: true }, ['EQC', 'RC', 'EQC', 'FC', 'AHC']],
  ['the author while a colleague writes', { ...author, readBy: colleague }, ['C', 'RC', 'C', 'FC', 'AHC']],
  ['an assigned radiologist', assigned, ['EQFC', 'RC', 'EQC', 'FC', 'AHC']],
  ['the reviewer', reviewer, ['FC', 'SRC', 'C', 'FC', 'AHC']],
  ['an author who is also the reviewer', { ...author, ...reviewer }, ['EQFC', 'RC', 'EQC', 'FC', 'AHC']],
  ['another radiologist', {}, ['C', 'RC', 'C', 'C', 'AHC']],
  ['a radiologist without the permission to assign', { permissions: readersOnly }, ['C', 'C', 'C', 'C', 'AHC']],
  ['an administrator', { permissions: defaultPermissions.ADMIN }, ['', 'R', '', '', 'H']],
  ['an administrator who is the author', { ...author, permissions: defaultPermissions.ADMIN }, ['', 'R', '', '', 'H']],
  ['a referring physician', { ...assigned, permissions: defaultPermissions.REFERRING_PHYSICIAN }, ['', '', '', '', '']],
  ['a visitor from another tenant', { isMember: false }, ['', '', '', '', '']],
])('permissions of %s are right in each status from draft to finalized', (_, facts, expected) => {
  expect(inEveryState(facts)).toEqual(expected);
});

test('only an approved report can be finalized if the organization requires a review', () => {
  expect(finalizableStates(true)).toEqual(['APPROVED']);
  expect(finalizableStates(false)).toEqual(['DRAFT', 'APPROVED']);
});

test('the report of a canceled study cannot be finalized', () => {
  expect(letters({ ...author, studyStatus: 'CANCELLED' })).toBe('EQC');
});

test('while a colleague writes a report, refusals name the colleague and the start time', () => {
  const { reasons } = reportRightsOf({ ...stranger, ...author, readBy: colleague });

  const reason = 'Being read by Rex Reviewer since 2026-11-22 09:12';
  expect(reasons.filter((refusal) => refusal.reason === reason).map(({ act }) => act)).toEqual([
    'edit',
    'requestReview',
    'issuePreliminary',
    'finalize',
  ]);
});

test.each<[string, Partial<ReportFacts>, string]>([
  [
    'without permission to sign',
    { permissions: defaultPermissions.ADMIN },
    'You do not have permission to sign addenda',
  ],
  ['of another organization', { isMember: false }, 'Only members of this organization can do this'],
])('a user %s cannot add an addendum to a signed report', (_, facts, reason) => {
  const { canAddend, reasons } = reportRightsOf({ ...stranger, ...facts, status: 'FINALIZED' });

  expect(canAddend).toBe(false);
  expect(reasons).toContainEqual({ act: 'addend', reason });
});

test('every refused action on a report has a reason', () => {
  const { reasons } = reportRightsOf({ ...stranger, ...author, status: 'PENDING_REVIEW' });

  expect(reasons).toEqual([
    { act: 'edit', reason: 'The report is Pending Review and cannot be edited' },
    { act: 'requestReview', reason: 'The report is Pending Review. A review cannot be requested.' },
    { act: 'submitReview', reason: 'You cannot review your own report' },
    {
      act: 'issuePreliminary',
      reason: 'The report is Pending Review. A preliminary report cannot be issued.',
    },
    { act: 'finalize', reason: 'The report is Pending Review and cannot be finalized' },
    { act: 'addend', reason: 'The report is Pending Review. Only finalized reports can have addenda.' },
    { act: 'share', reason: 'The report is Pending Review. Only finalized reports can be shared.' },
  ]);
});

const fresh: NewReportFacts = {
  studyStatus: 'PENDING',
  permissions: radiologist,
  isMember: true,
  isAssigned: false,
  hasAssignedReader: false,
  hasOpenReport: false,
  readBy: null,
};

test.each<[string, Partial<NewReportFacts>, string | undefined]>([
  ['the study has no assignee', {}, undefined],
  ['the study is assigned to the caller', { isAssigned: true, hasAssignedReader: true }, undefined],
  ['the study is completed', { studyStatus: 'COMPLETED' }, undefined],
  ['the study is assigned to others', { hasAssignedReader: true }, 'This study is assigned to another radiologist'],
  ['the study has an open report', { hasOpenReport: true }, 'This study already has an open report'],
  ['the study is canceled', { studyStatus: 'CANCELLED' }, 'The study is canceled'],
  ['a colleague is reading the study', { readBy: colleague }, 'Being read by Rex Reviewer since 2026-11-22 09:12'],
  ['the study is archived', { studyStatus: 'ARCHIVED' }, 'The study is archived'],
  [
    'the caller is an administrator',
    { permissions: defaultPermissions.ADMIN },
    'You do not have permission to create reports',
  ],
  ['the caller is of another organization', { isMember: false }, 'Only members of this organization can do this'],
])('a new report is allowed or refused: %s', (_, facts, reason) => {
  expect(refuseNewReport({ ...fresh, ...facts })?.reason).toBe(reason);
});
