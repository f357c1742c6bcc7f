import { reportStatusLabels } from '@radwork/contract/reports';
import { studyStatusLabels } from '@radwork/contract/studies';
import type { AssignmentStatus, TaskEntry, TaskType } from '@radwork/contract/workflow';
import type { Tone } from '#ui/status-pill.tsx';

export const assignmentStatusLabels: Record<AssignmentStatus, string> = {
  ACTIVE: 'Active',
  COMPLETED: 'Completed',
  CANCELLED: 'Removed',
  OVERDUE: 'Overdue',
};

const labels: Record<TaskType, Record<string, string>> = {
  STUDY_STATUS_CHANGE: studyStatusLabels,
  STUDY_ASSIGNMENT: assignmentStatusLabels,
  REPORT_STATUS: reportStatusLabels,
  CRITICAL_FINDING: { CRITICAL: 'Critical', URGENT: 'Urgent', SIGNIFICANT: 'Significant' },
};

/** What people call the state that an event led to; a code that nobody knows stands for itself. */
export const valueWords = ({ type, displayValue }: TaskEntry): string => labels[type][displayValue] ?? displayValue;

/** The colour of an event's mark. Its kind stands beside it in words. */
export const eventTones: Record<TaskType, Tone> = {
  STUDY_STATUS_CHANGE: 'primary',
  STUDY_ASSIGNMENT: 'info',
  REPORT_STATUS: 'success',
  CRITICAL_FINDING: 'danger',
};
