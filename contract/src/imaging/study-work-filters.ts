import { translated } from '../core/translate.ts';
/** Ranges of the time since arrival, for studies without a report. */
export const studyAges = ['UNDER_4_HOURS', 'UNDER_1_DAY', 'UNDER_3_DAYS', 'UNDER_7_DAYS', 'OVER_7_DAYS'] as const;
export type StudyAge = (typeof studyAges)[number];

/** Range in hours: `from` is included, `until` excluded. */
export const hoursOfAge: Record<StudyAge, { from: number; until?: number }> = {
  UNDER_4_HOURS: { from: 0, until: 4 },
  UNDER_1_DAY: { from: 4, until: 24 },
  UNDER_3_DAYS: { from: 24, until: 72 },
  UNDER_7_DAYS: { from: 72, until: 168 },
  OVER_7_DAYS: { from: 168 },
};

export const studyAgeLabels: Record<StudyAge, string> = translated({
  UNDER_4_HOURS: 'Under 4 hours',
  UNDER_1_DAY: '4 to 24 hours',
  UNDER_3_DAYS: '1 to 3 days',
  UNDER_7_DAYS: '3 to 7 days',
  OVER_7_DAYS: 'Over 7 days',
});

/**
 * Stages of work, which combine statuses. UNREAD: pending or assigned. UNREPORTED: neither completed nor canceled.
 * OVERDUE: an assignment is past its due date.
 */
export const studyStages = ['UNREAD', 'UNREPORTED', 'OVERDUE'] as const;
export type StudyStage = (typeof studyStages)[number];

export const studyStageLabels: Record<StudyStage, string> = translated({
  UNREAD: 'Unread',
  UNREPORTED: 'Without a report',
  OVERDUE: 'Overdue',
});
