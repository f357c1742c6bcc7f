import { t } from '@lingui/core/macro';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { studyStatusLabels } from '@radwork/contract/imaging/study-status';
import type { AssignmentStatus, TaskEntry, TaskType } from '@radwork/contract/reading/workflow';
import type { Tone } from '#ui/marks/status-pill.tsx';

export const assignmentStatusLabels: Record<AssignmentStatus, string> = {
  ACTIVE: t`Active`,
  COMPLETED: t`Completed`,
  CANCELLED: t`Removed`,
  OVERDUE: t`Overdue`,
};

const labels: Record<TaskType, Record<string, string>> = {
  STUDY_STATUS_CHANGE: studyStatusLabels,
  STUDY_ASSIGNMENT: assignmentStatusLabels,
  REPORT_STATUS: reportStatusLabels,
  CRITICAL_FINDING: { CRITICAL: t`Critical`, URGENT: t`Urgent`, SIGNIFICANT: t`Significant` },
};

/** Returns the label for the value of an event. Unknown codes are shown unchanged. */
export const eventValueLabel = ({ type, displayValue }: TaskEntry): string =>
  labels[type][displayValue] ?? displayValue;

/** Color of each event type. Text next to the color names the type. */
export const eventTones: Record<TaskType, Tone> = {
  STUDY_STATUS_CHANGE: 'primary',
  STUDY_ASSIGNMENT: 'info',
  REPORT_STATUS: 'success',
  CRITICAL_FINDING: 'danger',
};
