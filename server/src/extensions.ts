import type { Database } from './core/database/database.ts';
import type { Extensions } from './core/events/extensions.ts';
import { createScopes, type Scope, type Scopes } from './core/access/scope.ts';
import { removeViewsOfGroup } from './imaging/saved-views/service.ts';
import { assignByRules } from './reading/assignment-rules/assign-by-rules.ts';
import { restartFindings } from './reading/critical-findings/restart-findings.ts';
import { askToReview } from './reading/follow-ups/offer-follow-ups.ts';
import { linkCopiedLesions, moveLesions, splitLesions } from './reading/lesions/move-lesions.ts';
import { replaceStored } from './reading/report-delivery/replace-stored-reports.ts';
import { criticalStatesOf } from './reading/report-records/critical-states.ts';
import {
  copyAnnotations,
  refuseManyAnnotations,
  returnAnnotations,
} from './reading/report-records/moved-annotations.ts';
import { reviseUnsigned } from './reading/report-records/refiled-reports.ts';
import { moveReadings } from './reading/report-records/separated-images.ts';
import { readingsOf } from './reading/report-records/stored-lock.ts';
import { closeLinksOf } from './reading/sharing/service.ts';
import { isAssignable } from './reading/workflow/assignable.ts';
import { endAssignmentsOf } from './reading/workflow/lost-assignee.ts';

/** Listeners and marks of the upper modules. The type requires each listener (core/events/extensions.ts). */
export const extensions: Extensions<Scope> = {
  listeners: {
    'study.disowned': {
      closeLinks: (scope, { studyIds, since }) => closeLinksOf(scope, studyIds, since),
    },
    'study.filedElsewhere': {
      reviseReports: (scope, { studyIds }) => reviseUnsigned(scope, studyIds),
      // After a merge, the study still belongs to the same person. The earlier recipients were informed about that
      // person, so findings do not restart.
      restartFindings: async (scope, { studyIds, isSamePerson }) => {
        if (!isSamePerson) await restartFindings(scope, studyIds);
      },
      replaceStoredReports: (scope, { patientIds }) => replaceStored(scope, patientIds),
      // After a merge, the study still belongs to the same person.
      reviewFollowUps: async (scope, { studyIds, isSamePerson }) => {
        if (!isSamePerson) await askToReview(scope, studyIds, 'MOVED');
      },
      splitLesions: async (scope, { studyIds, isSamePerson }) => {
        if (!isSamePerson) await splitLesions(scope, studyIds);
      },
    },
    'study.imagesSeparated': { moveReadings, moveLesions },
    'study.seriesMoveBegun': { refuseManyAnnotations },
    'study.seriesMoved': {
      copyAnnotations,
      copyLesions: (scope, move) => linkCopiedLesions(scope, move, { isUndo: false }),
    },
    'study.seriesReturned': {
      returnAnnotations,
      returnLesions: (scope, move) => linkCopiedLesions(scope, move, { isUndo: true }),
    },
    'user.rightsChanged': {
      endAssignments: async (scope, { userId, ...user }) => {
        await endAssignmentsOf(scope, userId, isAssignable(user) ? 'hidden' : 'all');
      },
    },
    'study.arrived': { assignByRules: (scope, { studyId }) => assignByRules(scope, studyId) },
    'group.deleted': {
      removeViews: (scope, { groupId }) => removeViewsOfGroup(scope, groupId),
    },
  },
  studyMarks: { readingBy: readingsOf, criticalState: criticalStatesOf },
};

/** The scopes of the whole server. Their events reach all listeners. */
export const openScopes = (database: Database): Scopes => createScopes(database, extensions);
