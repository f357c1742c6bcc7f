import { studyMoves } from '@radwork/contract/imaging/study-status';
import type { Assignment, StudyWork, TaskEntry } from '@radwork/contract/reading/workflow';

export const studyId = '0190aaaa-0000-7000-8000-000000000001';

/** Returns the workflow of a study for a user with all permissions. */
export const workOf = (overrides: Partial<StudyWork> = {}): StudyWork => {
  const status = overrides.status ?? 'PENDING';
  return {
    status,
    moves: [...studyMoves[status]],
    revision: 3,
    assignments: [],
    groupAssignments: [],
    refusals: {
      status: null,
      assigning: null,
      assigner: null,
      reinstating: 'You do not have permission to reinstate canceled studies',
    },
    ...overrides,
  };
};

/** Returns an assignment of a user; `overrides` overrides fields. */
export const assignmentOf = (username: string, overrides: Partial<Assignment> = {}): Assignment => ({
  id: `assignment-of-${username}`,
  user: { id: `id-of-${username}`, username, name: `Dr ${username}`, userType: 'RADIOLOGIST' },
  assignedBy: { username: 'chief', name: 'Dr Chief' },
  assignedAt: '2026-11-20T08:00:00Z',
  completedAt: null,
  dueDate: null,
  status: 'ACTIVE',
  notes: '',
  keepsAccess: false,
  ...overrides,
});

export const eventOf = (number: number, overrides: Partial<TaskEntry> = {}): TaskEntry => ({
  id: `event-${number}`,
  type: 'STUDY_STATUS_CHANGE',
  typeDescription: 'Study status',
  timestamp: new Date(2026, 10, 21, 14, number).toISOString(),
  displayValue: 'IN_PROGRESS',
  details: '',
  user: { username: 'rex' },
  ...overrides,
});

/** Returns one page of a task history. */
export const historyOf = (content: TaskEntry[], { number = 0, totalElements = content.length } = {}) => ({
  content,
  number,
  size: 10,
  totalElements,
  totalPages: Math.ceil(totalElements / 10),
});
