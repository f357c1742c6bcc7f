import { translated } from '../core/translate.ts';
import type { Moves } from '../core/moves.ts';

/** Modalities of a recommendation. XR means any plain radiograph, US includes echocardiography. */
export const followUpModalities = ['CT', 'MR', 'US', 'XR', 'MG', 'PT', 'NM', 'BMD'] as const;
export type FollowUpModality = (typeof followUpModalities)[number];

export const followUpModalityLabels: Record<FollowUpModality, string> = translated({
  CT: 'CT',
  MR: 'MRI',
  US: 'Ultrasound',
  XR: 'Radiograph',
  MG: 'Mammography',
  PT: 'PET/CT',
  NM: 'Nuclear medicine',
  BMD: 'Bone densitometry',
});

export const followUpUnits = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const;
export type FollowUpUnit = (typeof followUpUnits)[number];

/**
 * States of a row of the register. OFFERED: recognized in a signed report, and no user has decided. OPEN: waits for the
 * examination. SCHEDULED: the examination is ordered. DONE: the examination took place. DECLINED and LOST: it will not
 * take place, with a reason. DISMISSED: an offer that is no recommendation.
 */
export const followUpStates = ['OFFERED', 'OPEN', 'SCHEDULED', 'DONE', 'DECLINED', 'LOST', 'DISMISSED'] as const;
export type FollowUpState = (typeof followUpStates)[number];

export const followUpStateLabels: Record<FollowUpState, string> = translated({
  OFFERED: 'To decide',
  OPEN: 'Open',
  SCHEDULED: 'Scheduled',
  DONE: 'Done',
  DECLINED: 'Declined',
  LOST: 'Lost to follow-up',
  DISMISSED: 'Not a recommendation',
});

/** Every decision can be undone: a closed row becomes open again, and a dismissed offer is offered again. */
export const followUpMoves: Moves<FollowUpState> = {
  OFFERED: ['OPEN', 'DISMISSED'],
  OPEN: ['SCHEDULED', 'DONE', 'DECLINED', 'LOST'],
  SCHEDULED: ['OPEN', 'DONE', 'DECLINED', 'LOST'],
  DONE: ['OPEN'],
  DECLINED: ['OPEN'],
  LOST: ['OPEN'],
  DISMISSED: ['OFFERED'],
};

/** States that wait for an examination. */
export const waitingStates: readonly FollowUpState[] = ['OPEN', 'SCHEDULED'];

/** States that need a reason. */
export const reasonedStates: readonly FollowUpState[] = ['DECLINED', 'LOST'];

/** Reasons to look at a row again. CORRECTED: its report was corrected or replaced. MOVED: its study moved to another patient. */
export const followUpReviewCauses = ['CORRECTED', 'MOVED'] as const;
export type FollowUpReviewCause = (typeof followUpReviewCauses)[number];

export const followUpReviewLabels: Record<FollowUpReviewCause, string> = translated({
  CORRECTED: 'The report was corrected. Check this follow-up.',
  MOVED: 'The study moved to another patient. Check this follow-up.',
});

export const followUpEvents = [
  'OFFERED',
  'ADDED',
  'ACCEPTED',
  'EDITED',
  'STATE',
  'MATCHED',
  'UNMATCHED',
  'MATCH_DISMISSED',
  'REMINDED',
  'REVIEW',
  'REVIEWED',
] as const;
export type FollowUpEvent = (typeof followUpEvents)[number];

export const followUpEventLabels: Record<FollowUpEvent, string> = translated({
  OFFERED: 'Recognized in the report',
  ADDED: 'Added',
  ACCEPTED: 'Accepted',
  EDITED: 'Edited',
  STATE: 'Changed',
  MATCHED: 'Examination arrived',
  UNMATCHED: 'Reopened: the examination is no longer here',
  MATCH_DISMISSED: 'Other examination',
  REMINDED: 'Reminded',
  REVIEW: 'To check again',
  REVIEWED: 'Checked',
});

/** Owner of a new row. If the study has no referring physician with an account, the author owns it. */
export const followUpOwners = ['REFERRER', 'AUTHOR'] as const;
export type FollowUpOwner = (typeof followUpOwners)[number];

export const followUpOwnerLabels: Record<FollowUpOwner, string> = translated({
  REFERRER: 'Referring physician',
  AUTHOR: 'Author of the report',
});

/** Values of `view`. WAITING: open and scheduled rows, overdue rows first. */
export const followUpViews = ['WAITING', 'OVERDUE', 'OFFERED', 'REVIEW', 'CLOSED'] as const;
export type FollowUpView = (typeof followUpViews)[number];
