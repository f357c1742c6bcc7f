import type { ReportStatus } from '../imaging/study-marks.ts';
import type { Moves } from '../core/moves.ts';
import { translated } from '../core/translate.ts';

export const reportMoves: Moves<ReportStatus> = {
  DRAFT: ['PENDING_REVIEW', 'FINALIZED'],
  PENDING_REVIEW: ['APPROVED', 'REVISION_REQUIRED'],
  REVISION_REQUIRED: ['PENDING_REVIEW'],
  APPROVED: ['FINALIZED'],
  FINALIZED: [],
};

/** Labels of the statuses. */
export const reportStatusLabels: Record<ReportStatus, string> = translated({
  DRAFT: 'Draft',
  PENDING_REVIEW: 'Pending Review',
  REVISION_REQUIRED: 'Revision Required',
  APPROVED: 'Approved',
  FINALIZED: 'Finalized',
});

/** Actions that create a version of a report. */
export const reportActions = [
  'CREATED',
  'SAVED',
  'REVIEW_REQUESTED',
  'APPROVED',
  'REVISION_REQUESTED',
  'PRELIMINARY',
  'FINALIZED',
] as const;
export type ReportAction = (typeof reportActions)[number];
