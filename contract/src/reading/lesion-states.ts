import { translated } from '../core/translate.ts';

/**
 * Kinds of lesions (RECIST 1.1). FOLLOWED: measured again, but not part of the RECIST table. NEW: a lesion that no
 * earlier study shows.
 */
export const lesionKinds = ['FOLLOWED', 'TARGET', 'NON_TARGET', 'NEW'] as const;
export type LesionKind = (typeof lesionKinds)[number];

export const lesionKindLabels: Record<LesionKind, string> = translated({
  FOLLOWED: 'Followed only',
  TARGET: 'Target',
  NON_TARGET: 'Non-target',
  NEW: 'New lesion',
});

/**
 * States of a lesion in a study, where it has no diameter. TOO_SMALL: seen, but too small to measure. PRESENT: a
 * non-target lesion that persists. PROGRESSED: unequivocal progression of a non-target lesion.
 */
export const lesionStates = ['ABSENT', 'TOO_SMALL', 'PRESENT', 'PROGRESSED', 'NOT_EVALUATED'] as const;
export type LesionState = (typeof lesionStates)[number];

/** States that a diameter contradicts. */
export const statesWithoutDiameter: readonly LesionState[] = ['ABSENT', 'TOO_SMALL', 'NOT_EVALUATED'];

type StatedReading = { longMm: number | null; shortMm: number | null; state: LesionState | null };

/** Whether a reading has a diameter, and a state that says that the lesion has none. Neither counts then. */
export const isContradictory = ({ longMm, shortMm, state }: StatedReading): boolean =>
  (longMm !== null || shortMm !== null) && state !== null && statesWithoutDiameter.includes(state);

export const lesionStateLabels: Record<LesionState, string> = translated({
  ABSENT: 'Absent',
  TOO_SMALL: 'Too small to measure',
  PRESENT: 'Present',
  PROGRESSED: 'Unequivocal progression',
  NOT_EVALUATED: 'Not evaluated',
});

/** States that a user can choose for a lesion of each kind. */
export const statesOfKind: Record<LesionKind, readonly LesionState[]> = {
  FOLLOWED: ['ABSENT', 'TOO_SMALL', 'NOT_EVALUATED'],
  TARGET: ['ABSENT', 'TOO_SMALL', 'NOT_EVALUATED'],
  NON_TARGET: ['ABSENT', 'PRESENT', 'PROGRESSED', 'NOT_EVALUATED'],
  NEW: ['PRESENT', 'ABSENT', 'NOT_EVALUATED'],
};
