import { t, translated } from '../core/translate.ts';
import { isContradictory, type LesionKind, type LesionState, lesionStateLabels } from './lesion-states.ts';

/*
 * Response by RECIST 1.1: Eisenhauer EA et al. New response evaluation criteria in solid tumours: revised RECIST
 * guideline (version 1.1). Eur J Cancer 2009;45:228-247. The sections in comments are those of that paper.
 */

/** A lesion in one study. */
export type RecistReading = {
  /** Longest diameter in mm; null without a measurement in mm. */
  longMm: number | null;
  /** Short axis in mm, which counts for lymph nodes. */
  shortMm: number | null;
  /** State that a user has chosen; it counts before a diameter. */
  state: LesionState | null;
};

export type RecistLesion = {
  id: string;
  label: string;
  organ: string;
  isNode: boolean;
  kind: LesionKind;
  /** One reading for each study, in the order of the studies. Null if the study has none. */
  readings: readonly (RecistReading | null)[];
};

export const targetResponses = ['BASELINE', 'CR', 'PR', 'SD', 'PD', 'NE', 'NONE'] as const;
/** Response of target lesions. NE: cannot be evaluated. NONE: there are no target lesions. */
export type TargetResponse = (typeof targetResponses)[number];

export const nonTargetResponses = ['BASELINE', 'CR', 'NON_CR_NON_PD', 'PD', 'NE', 'NONE'] as const;
export type NonTargetResponse = (typeof nonTargetResponses)[number];

export const overallResponses = ['BASELINE', 'CR', 'PR', 'SD', 'NON_CR_NON_PD', 'PD', 'NE'] as const;
export type OverallResponse = (typeof overallResponses)[number];

export const recistResponseLabels: Record<TargetResponse | NonTargetResponse | OverallResponse, string> = translated({
  BASELINE: 'Baseline',
  CR: 'Complete response',
  PR: 'Partial response',
  SD: 'Stable disease',
  NON_CR_NON_PD: 'Non-CR/non-PD',
  PD: 'Progressive disease',
  NE: 'Not evaluable',
  NONE: 'None',
});

/** Evaluation of one study. */
export type RecistTimepoint = {
  /** Sum of the diameters of the target lesions in mm; null if one is missing or there are none. */
  sumMm: number | null;
  /** Change of the sum from the first study in percent; null at baseline, without a sum, or from a sum of 0. */
  fromBaselinePercent: number | null;
  /** Smallest earlier sum in mm, the baseline included. */
  nadirMm: number | null;
  fromNadirMm: number | null;
  /** Change from the smallest sum in percent; null if that sum is 0. */
  fromNadirPercent: number | null;
  target: TargetResponse;
  nonTarget: NonTargetResponse;
  hasNewLesion: boolean;
  overall: OverallResponse;
  /** Inputs that are missing for this study, each as a sentence. */
  missing: string[];
};

export type RecistTable = {
  timepoints: RecistTimepoint[];
  /** Choices of lesions that RECIST 1.1 does not allow, each as a sentence. */
  problems: string[];
};

/** Largest number of target lesions, and of those in one organ (section 3.1.2). */
export const mostTargets = 5;
export const mostTargetsOfOrgan = 2;

/** Smallest diameters of target lesions in mm: longest diameter, and short axis of nodes (sections 3.1.1 and 3.1.2). */
const smallestTarget = 10;
const smallestTargetNode = 15;
/** A node with a shorter short axis in mm is normal (section 3.1.1). */
const normalNode = 10;
/** Value in mm of a target lesion that is seen, but too small to measure (section 4.3.2). */
const tooSmallMm = 5;

/** Limits of responses (section 4.3.1): shares of the sum, and the least increase in mm for progression. */
const partialResponse = 0.3;
const progression = 0.2;
const leastIncreaseMm = 5;

/** Sums of diameters are compared with this tolerance in mm, below any measurement. */
const tiny = 1e-6;

const nameOf = ({ label, organ }: RecistLesion): string => [label, organ].filter(Boolean).join(', ');

/**
 * Evaluates studies in the order of time. The first study is the baseline. `days` names each study in messages, such as
 * "2026-11-30". If earlier readings are left out, baseline and smallest sum are unknown, so no response is given.
 */
export const recistTable = (
  lesions: readonly RecistLesion[],
  days: readonly string[],
  areReadingsLeftOut = false,
): RecistTable => {
  const targets = lesions.filter(({ kind }) => kind === 'TARGET');
  const nonTargets = lesions.filter(({ kind }) => kind === 'NON_TARGET');
  const news = lesions.filter(({ kind }) => kind === 'NEW');
  const timepoints: RecistTimepoint[] = [];
  for (const [at, day] of days.entries()) {
    const missing = [
      ...contradictions([...targets, ...nonTargets, ...news], at, day),
      ...missingTargets(targets, at, day),
      ...missingNonTargets(nonTargets, at, day),
    ];
    const diameters = targets.map((lesion) => diameterOf(lesion, at));
    const isComplete = diameters.every((diameter) => diameter !== null);
    const known = diameters.reduce<number>((sum, diameter) => sum + (diameter ?? 0), 0);
    const sumMm = targets.length > 0 && isComplete ? known : null;
    const earlier = timepoints.flatMap((timepoint) => timepoint.sumMm ?? []);
    const baseline = timepoints[0]?.sumMm ?? null;
    const nadirMm = earlier.length > 0 ? Math.min(...earlier) : null;
    const hasNewLesion = news.some(({ readings }) => at > 0 && isSeen(readings.slice(0, at + 1)));
    const wasComplete = timepoints.some((timepoint) => timepoint.target === 'CR');
    const target = targetResponse({ targets, at, known, isComplete, baseline, nadirMm, wasComplete });
    const nonTarget = nonTargetResponse(nonTargets, at);
    const isNewUnclear = news.some((lesion) => isContradictoryAt(lesion, at));
    timepoints.push({
      sumMm,
      fromBaselinePercent: at === 0 ? null : percentChange(sumMm, baseline),
      nadirMm,
      fromNadirMm: sumMm === null || nadirMm === null ? null : sumMm - nadirMm,
      fromNadirPercent: percentChange(sumMm, nadirMm),
      target,
      nonTarget,
      hasNewLesion,
      overall: overallResponse({ at, target, nonTarget, hasNewLesion, isNewUnclear }),
      missing,
    });
  }
  const problems = problemsOf(targets, lesions);
  if (!areReadingsLeftOut) return { timepoints, problems };
  const leftOut = t`The patient has too many studies or measurements, so earlier readings are missing here. There is no response.`;
  return { timepoints: timepoints.map(withoutResponse), problems: [leftOut, ...problems] };
};

/** Removes from a timepoint what depends on the baseline, on the smallest sum or on earlier lesions. */
const withoutResponse = (timepoint: RecistTimepoint): RecistTimepoint => ({
  ...timepoint,
  fromBaselinePercent: null,
  nadirMm: null,
  fromNadirMm: null,
  fromNadirPercent: null,
  target: timepoint.target === 'NONE' ? 'NONE' : 'NE',
  nonTarget: timepoint.nonTarget === 'NONE' ? 'NONE' : 'NE',
  overall: 'NE',
});

const percentChange = (now: number | null, then: number | null): number | null =>
  now === null || then === null || then === 0 ? null : (100 * (now - then)) / then;

/** Returns the diameter of a target lesion that counts for the sum, in mm. Null if it is missing. */
const diameterOf = ({ isNode, readings }: RecistLesion, at: number): number | null => {
  const reading = readings[at];
  if (!reading || reading.state === 'NOT_EVALUATED' || isContradictory(reading)) return null;
  if (reading.state === 'ABSENT') return 0;
  if (reading.state === 'TOO_SMALL') return tooSmallMm;
  return isNode ? reading.shortMm : reading.longMm;
};

const isContradictoryAt = ({ readings }: RecistLesion, at: number): boolean =>
  readings.slice(at, at + 1).some((reading) => reading !== null && isContradictory(reading));

const contradictions = (lesions: readonly RecistLesion[], at: number, day: string): string[] =>
  lesions.flatMap((lesion) => {
    const [name, state] = [nameOf(lesion), lesion.readings[at]?.state];
    if (!state || !isContradictoryAt(lesion, at)) return [];
    return t`${name}: measured, but also stated as “${lesionStateLabels[state]}” on ${day}. Remove the state or the measurement.`;
  });

const missingTargets = (targets: readonly RecistLesion[], at: number, day: string): string[] =>
  targets
    .filter((lesion) => diameterOf(lesion, at) === null && !isContradictoryAt(lesion, at))
    .map((lesion) => {
      const [name, reading] = [nameOf(lesion), lesion.readings[at]];
      if (reading?.state === 'NOT_EVALUATED') return t`${name}: not evaluated on ${day}`;
      if (reading && lesion.isNode && reading.longMm !== null) return t`${name}: short axis missing on ${day}`;
      return reading ? t`${name}: no length in mm on ${day}` : t`${name}: not measured on ${day}`;
    });

const missingNonTargets = (lesions: readonly RecistLesion[], at: number, day: string): string[] =>
  lesions
    .filter((lesion) => stateOfNonTarget(lesion, at) === 'NOT_EVALUATED' && !isContradictoryAt(lesion, at))
    .map((lesion) => {
      const name = nameOf(lesion);
      return t`${name}: state missing on ${day}`;
    });

/** Returns the state of a non-target lesion. A measured one is present; a node below 10 mm counts as absent. */
const stateOfNonTarget = ({ isNode, readings }: RecistLesion, at: number): LesionState => {
  const reading = readings[at];
  if (!reading || isContradictory(reading)) return 'NOT_EVALUATED';
  if (reading.state !== null) return reading.state;
  if (isNode && reading.shortMm !== null) return reading.shortMm < normalNode ? 'ABSENT' : 'PRESENT';
  return reading.longMm !== null || reading.shortMm !== null ? 'PRESENT' : 'NOT_EVALUATED';
};

/** Whether a new lesion was seen in one of these studies. It then stays a new lesion. */
const isSeen = (readings: readonly (RecistReading | null)[]): boolean =>
  readings.some((reading) => {
    if (reading === null) return false;
    if (reading.state !== null) return reading.state !== 'ABSENT' && reading.state !== 'NOT_EVALUATED';
    return reading.longMm !== null || reading.shortMm !== null;
  });

type TargetFacts = {
  targets: readonly RecistLesion[];
  at: number;
  /** Sum of the known diameters. */
  known: number;
  isComplete: boolean;
  baseline: number | null;
  nadirMm: number | null;
  /** Whether an earlier study shows a complete response of the target lesions. */
  wasComplete: boolean;
};

/** Evaluates the target lesions (section 4.3.1). */
const targetResponse = (facts: TargetFacts): TargetResponse => {
  const { targets, at, known, isComplete, baseline, nadirMm, wasComplete } = facts;
  if (targets.length === 0) return 'NONE';
  if (at === 0) return 'BASELINE';
  if (nadirMm !== null && hasProgressed(known, nadirMm)) return 'PD';
  // Any disease that is seen after a complete response is progression, however small and however many studies later
  // (note a of table 3). Nodes never disappear, so the sum decides about them.
  const isBack = targets.some((lesion) => !lesion.isNode && (diameterOf(lesion, at) ?? 0) > 0);
  if (wasComplete && isBack) return 'PD';
  if (!isComplete || baseline === null || nadirMm === null) return 'NE';
  if (targets.every((lesion) => isGone(lesion, at))) return 'CR';
  return known <= baseline * (1 - partialResponse) + tiny ? 'PR' : 'SD';
};

/** A missing lesion cannot reduce the sum, so the known diameters alone can show progression. */
const hasProgressed = (sum: number, nadir: number): boolean =>
  sum - nadir >= leastIncreaseMm - tiny && sum >= nadir * (1 + progression) - tiny;

/** Whether a target lesion is gone: 0 mm, or a short axis below 10 mm for a node. */
const isGone = (lesion: RecistLesion, at: number): boolean => {
  const diameter = diameterOf(lesion, at);
  return diameter !== null && (lesion.isNode ? diameter < normalNode : diameter === 0);
};

/** Evaluates the non-target lesions (section 4.3.3). Tumor markers are not known here. */
const nonTargetResponse = (lesions: readonly RecistLesion[], at: number): NonTargetResponse => {
  if (lesions.length === 0) return 'NONE';
  if (at === 0) return 'BASELINE';
  const states = lesions.map((lesion) => stateOfNonTarget(lesion, at));
  if (states.includes('PROGRESSED')) return 'PD';
  if (states.includes('NOT_EVALUATED')) return 'NE';
  return states.every((state) => state === 'ABSENT') ? 'CR' : 'NON_CR_NON_PD';
};

/** Combines the responses (tables 1 and 2 of section 4.4). */
const overallResponse = (
  facts: Pick<RecistTimepoint, 'target' | 'nonTarget' | 'hasNewLesion'> & { at: number; isNewUnclear: boolean },
): OverallResponse => {
  const { at, target, nonTarget, hasNewLesion, isNewUnclear } = facts;
  if (at === 0) return 'BASELINE';
  if (hasNewLesion || target === 'PD' || nonTarget === 'PD') return 'PD';
  if (isNewUnclear) return 'NE';
  if (target === 'NONE') return nonTarget === 'NONE' || nonTarget === 'BASELINE' ? 'NE' : nonTarget;
  if (target === 'CR') return nonTarget === 'CR' || nonTarget === 'NONE' ? 'CR' : 'PR';
  return target === 'BASELINE' ? 'NE' : target;
};

const problemsOf = (targets: readonly RecistLesion[], lesions: readonly RecistLesion[]): string[] => {
  const byOrgan = Map.groupBy(
    targets.filter(({ organ }) => organ !== ''),
    ({ organ }) => organ.trim().toLowerCase(),
  );
  const crowded = [...byOrgan.values()].filter(({ length }) => length > mostTargetsOfOrgan);
  return [
    ...(lesions.every(({ kind }) => kind === 'FOLLOWED') ? [t`No lesion is a target or non-target lesion`] : []),
    ...(targets.length > mostTargets
      ? [t`${targets.length} target lesions. RECIST allows at most ${mostTargets}.`]
      : []),
    ...crowded.map(([first, ...others]) => {
      const [count, organ] = [others.length + 1, first?.organ ?? ''];
      return t`${count} target lesions in ${organ}. RECIST allows at most ${mostTargetsOfOrgan} in an organ.`;
    }),
    ...targets.flatMap((lesion) => {
      const name = nameOf(lesion);
      if (lesion.organ === '') return [t`${name}: organ missing`];
      const diameter = diameterOf(lesion, 0);
      const least = lesion.isNode ? smallestTargetNode : smallestTarget;
      return diameter !== null && diameter < least ? [t`${name}: below ${least} mm at baseline`] : [];
    }),
  ];
};
