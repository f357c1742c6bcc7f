import type { Database } from '#core/database.ts';
import type { Extensions } from '#core/extensions.ts';
import { createScopes, type Scope, type Scopes } from '#core/scope.ts';
import { restartFindings } from './critical-findings/restart-findings.ts';
import { replaceStored } from './report-delivery/replace-stored.ts';
import { criticalStatesOf } from './report-records/finding-marks.ts';
import { reviseUnsigned } from './report-records/refiled-reports.ts';
import { readingsOf } from './report-records/stored-lock.ts';
import { closeLinksOf } from './sharing/links.ts';
import { isAssignable } from './workflow/assignable.ts';
import { endAssignmentsOf } from './workflow/lost-assignee.ts';

/** Listeners and marks of the upper modules. The type requires each listener (core/extensions.ts). */
export const extensions: Extensions<Scope> = {
  listeners: {
    'study.disowned': {
      closeLinks: (scope, { studyIds, since }) => closeLinksOf(scope, studyIds, since),
    },
    'study.filedElsewhere': {
      reviseReports: (scope, { studyIds }) => reviseUnsigned(scope, studyIds),
      // Earlier recipients of a merged patient heard of the same person.
      restartFindings: async (scope, { studyIds, isSamePerson }) => {
        if (!isSamePerson) await restartFindings(scope, studyIds);
      },
      replaceStoredReports: (scope, { patientIds }) => replaceStored(scope, patientIds),
    },
    'user.rightsChanged': {
      endAssignments: async (scope, { userId, ...user }) => {
        if (!isAssignable(user)) await endAssignmentsOf(scope, userId);
      },
    },
  },
  studyMarks: { readingBy: readingsOf, criticalState: criticalStatesOf },
};

/** The scopes of the whole server. Its events reach all listeners. */
export const openScopes = (database: Database): Scopes => createScopes(database, extensions);
