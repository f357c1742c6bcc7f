import type { SeriesSummary } from '@radwork/contract/studies';

/** What the words of an MR series say of it; '' where they do not say. */
export type Sequence = {
  weighting: 'T1' | 'T2' | 'T2*' | 'PD' | 'FLAIR' | 'STIR' | 'DWI' | 'MRA' | '';
  plane: 'axial' | 'sagittal' | 'coronal' | '';
};

const weightings = [
  ['DWI', /dwi|diff|\badc\b|\bep2d/],
  ['FLAIR', /flair|dark.?fluid/],
  ['STIR', /stir|tirm/],
  ['MRA', /\btof\b|\bmra\b|angio/],
  ['T2*', /t2\s?\*|t2.?star|\bswi\b|susc|hemo|haemo|\bgre\b/],
  ['PD', /(^|[^a-z])pd|proton/],
  ['T2', /t2/],
  ['T1', /t1|mprage|bravo/],
] as const;

const planes = [
  ['sagittal', /sag/],
  ['coronal', /(^|[^a-z])cor(?!on?ary)/],
  ['axial', /(^|[^a-z])(ax|tra|trans)/],
] as const;

const firstMatch = <Name extends string>(names: readonly (readonly [Name, RegExp])[], words: string): Name | '' =>
  names.find(([, pattern]) => pattern.test(words))?.[0] ?? '';

/** Reads "t2_tse_sag" and its like. Hospitals write as they please: what is not understood is ''. */
export const sequenceOf = (description: string): Sequence => {
  const words = description.toLowerCase();
  return { weighting: firstMatch(weightings, words), plane: firstMatch(planes, words) };
};

/** "T2 axial", '' where nothing is known. It names no patient, so that it may be kept in the browser. */
export const sequenceName = ({ weighting, plane }: Sequence): string => [weighting, plane].filter(Boolean).join(' ');

/** Whether a series only served to plan the others. */
export const isLocalizer = ({ seriesDescription }: Pick<SeriesSummary, 'seriesDescription'>): boolean =>
  /\bloc(ali[sz]er|s)?\b|scout|survey|surview|topogram|scano/.test(seriesDescription.toLowerCase());

const parts = [
  ['breast', /breast|mamm/],
  ['spine', /spine|spinal|lumbar|cervical|vertebra|sacr/],
  ['head', /\bhead|brain|skull|crani|orbit|sinus|pituitary|temporal/],
  ['neck', /neck|thyroid|larynx|carotid/],
  ['heart', /heart|cardi|coronary/],
  ['chest', /chest|thora|lung|pulm|ribs?\b/],
  ['abdomen', /abd|liver|kidney|renal|pancrea|bowel|mrcp/],
  ['pelvis', /pelv|prostat|uter|bladder|rectum/],
  ['hip', /\bhip/],
  ['knee', /knee|patella/],
  ['ankle', /ankle/],
  ['foot', /foot|feet|toe|calcane/],
  ['shoulder', /shoulder|clavic/],
  ['elbow', /elbow/],
  ['wrist', /wrist/],
  ['hand', /hand|finger|thumb/],
] as const;

export type BodyPart = (typeof parts)[number][0] | '';

/** The part of the body that a study shows: what its series say (BodyPartExamined) before the words of its description. */
export const bodyPartOf = (series: readonly SeriesSummary[], description: string): BodyPart => {
  const said = series.map(({ bodyPartExamined }) => bodyPartExamined.toLowerCase()).join(' ');
  return firstMatch(parts, said) || firstMatch(parts, description.toLowerCase());
};
