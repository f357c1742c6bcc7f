import type { UserType } from '@radwork/contract/core/access';
import type { CriticalState, Reading } from '@radwork/contract/imaging/study-marks';
import type { Ids } from '#core/values/any-of.ts';

/*
 * Modules import in one direction only (modules.ts). A lower module reaches an upper one through this file: it emits an
 * event or reads a mark. extensions.ts lists the listeners of the upper modules.
 */

/** Events inside the server. A listener runs in the transaction of the event; if it fails, the transaction fails. */
export type Events = {
  /** Studies belong to another patient than their share links say. `since`: only links created after this time. */
  'study.disowned': { studyIds: readonly string[]; since: string | null };
  /**
   * Studies were filed under another patient record. `isSamePerson`: after a merge, both records belong to one person.
   */
  'study.filedElsewhere': {
    studyIds: readonly string[];
    patientIds: readonly [to: string, from: string];
    isSamePerson: boolean;
  };
  /**
   * The images of a study got a study of their own, because they had joined an order by mistake. Work on the images
   * since that time (`since`) must follow them. A listener throws when it cannot.
   */
  'study.imagesSeparated': { orderId: string; imagesId: string; since: string };
  /** A user wants to move a series. Nothing is locked or copied yet. A listener throws when work on it cannot follow. */
  'study.seriesMoveBegun': { fromId: string; toId: string; seriesUid: string };
  /** A series was moved: the copies are shown in `toId`, and the originals are hidden in `fromId`. Both are locked. */
  'study.seriesMoved': { moveId: string; fromId: string; toId: string };
  /** A move of a series was undone: the copies are hidden in `toId`, and the originals are shown in `fromId` again. */
  'study.seriesReturned': { moveId: string; fromId: string; toId: string };
  /**
   * A change to a user was written. The user's type may have changed, and the user may have been activated or
   * deactivated, or limited to other groups.
   */
  'user.rightsChanged': { userId: string; userType: UserType; active: boolean };
  /**
   * Images of a study arrived or its data changed, and it has stayed the same for a minute. May be emitted again for the
   * same study. The scope is that of the server; nothing is locked.
   */
  'study.arrived': { studyId: string };
  /** A group is being deleted. Its members and studies still have it. */
  'group.deleted': { groupId: string };
};

/**
 * The listeners of each event, in the order in which they run. If the implementation of a listener is missing, the
 * server does not compile.
 */
export const listenersOf = {
  'study.disowned': ['closeLinks'],
  'study.filedElsewhere': [
    'reviseReports',
    'restartFindings',
    'replaceStoredReports',
    'reviewFollowUps',
    'splitLesions',
  ],
  'study.imagesSeparated': ['moveReadings', 'moveLesions'],
  'study.seriesMoveBegun': ['refuseManyAnnotations'],
  'study.seriesMoved': ['copyAnnotations', 'copyLesions'],
  'study.seriesReturned': ['returnAnnotations', 'returnLesions'],
  'user.rightsChanged': ['endAssignments'],
  'study.arrived': ['assignByRules'],
  'group.deleted': ['removeViews'],
} as const satisfies Record<keyof Events, readonly string[]>;

export type Listener<Scope, E extends keyof Events> = (scope: Scope, payload: Events[E]) => Promise<void>;

export type Listeners<Scope> = { [E in keyof Events]: Record<(typeof listenersOf)[E][number], Listener<Scope, E>> };

/** Columns of the study list that upper modules provide, by study ID. */
export type StudyMarks<Scope> = {
  readingBy: (scope: Scope, ids: Ids) => Promise<Map<string, Reading>>;
  criticalState: (scope: Scope, ids: Ids) => Promise<Map<string, CriticalState>>;
};

/**
 * Listeners and marks that upper modules add to lower modules. The scope is a type parameter, because a scope contains
 * its extensions.
 */
export type Extensions<Scope> = { listeners: Listeners<Scope>; studyMarks: StudyMarks<Scope> };

const missing = (what: string) => async (): Promise<never> => {
  throw new Error(`Nothing is registered for ${what}. Open the scopes with openScopes (extensions.ts).`);
};

/** Extensions for scopes that no feature uses. They throw, so that a lost event is noticed. */
export const noExtensions: Extensions<unknown> = {
  listeners: {
    'study.disowned': { closeLinks: missing('study.disowned') },
    'study.filedElsewhere': {
      reviseReports: missing('study.filedElsewhere'),
      restartFindings: missing('study.filedElsewhere'),
      replaceStoredReports: missing('study.filedElsewhere'),
      reviewFollowUps: missing('study.filedElsewhere'),
      splitLesions: missing('study.filedElsewhere'),
    },
    'study.imagesSeparated': {
      moveReadings: missing('study.imagesSeparated'),
      moveLesions: missing('study.imagesSeparated'),
    },
    'study.seriesMoveBegun': { refuseManyAnnotations: missing('study.seriesMoveBegun') },
    'study.seriesMoved': {
      copyAnnotations: missing('study.seriesMoved'),
      copyLesions: missing('study.seriesMoved'),
    },
    'study.seriesReturned': {
      returnAnnotations: missing('study.seriesReturned'),
      returnLesions: missing('study.seriesReturned'),
    },
    'user.rightsChanged': { endAssignments: missing('user.rightsChanged') },
    'study.arrived': { assignByRules: missing('study.arrived') },
    'group.deleted': { removeViews: missing('group.deleted') },
  },
  studyMarks: { readingBy: missing('readingBy'), criticalState: missing('criticalState') },
};
