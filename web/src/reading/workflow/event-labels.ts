import { t } from '@lingui/core/macro';
import { reportStatusLabels } from '@radwork/contract/reading/reports';
import { studyStatusLabels } from '@radwork/contract/imaging/studies';
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

/** Returns the label of the event's value. Unknown codes are shown unchanged. */
export const eventValueLabel = ({ type, displayValue }: TaskEntry): string =>
  labels[type][displayValue] ?? displayValue;

/** Colors of event marks. Text next to each mark names the type. */
export const eventTones: Record<TaskType, Tone> = {
  STUDY_STATUS_CHANGE: 'primary',
  STUDY_ASSIGNMENT: 'info',
  REPORT_STATUS: 'success',
  CRITICAL_FINDING: 'danger',
};
