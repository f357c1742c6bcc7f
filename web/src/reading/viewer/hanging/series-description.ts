import { t } from '@lingui/core/macro';
import type { HangingRuleForm } from '@radwork/contract/reading/hanging-rules';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';

/** Weighting and plane of an MR series, taken from its description; '' if unknown. */
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

/** Parses descriptions such as "t2_tse_sag". Hospitals name series freely, so each part may be unknown (''). */
export const sequenceOf = (description: string): Sequence => {
  const words = description.toLowerCase();
  return { weighting: firstMatch(weightings, words), plane: firstMatch(planes, words) };
};

/** Returns a name such as "T2 axial"; '' if unknown. It contains no patient data, so the browser may store it. */
export const sequenceName = ({ weighting, plane }: Sequence): string => [weighting, plane].filter(Boolean).join(' ');

/**
 * Whether a series was only acquired to plan the other series. The headers decide (ImageType value 3, PS3.3
 * §C.8.2.1.1.1), or else the description.
 */
export const isLocalizer = ({
  seriesDescription,
  isLocalizer: byHeader,
}: Pick<SeriesSummary, 'seriesDescription' | 'isLocalizer'>): boolean =>
  byHeader ?? /\bloc(ali[sz]er|s)?\b|scout|survey|surview|topogram|scano/.test(seriesDescription.toLowerCase());

/**
 * Returns the plane of a series: by the orientation of its images, or else by its description. An oblique series has the
 * plane by which its description names it.
 */
export const planeOf = ({ plane, seriesDescription }: Pick<SeriesSummary, 'plane' | 'seriesDescription'>) =>
  plane ?? sequenceOf(seriesDescription).plane;

const parts: readonly (readonly [Exclude<BodyPart, ''>, RegExp])[] = [
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
];

export type BodyPart = HangingRuleForm['bodyPart'];

/** Names of the body parts on screens. The keys also occur in saved layouts. */
export const bodyPartLabels: Record<BodyPart, string> = {
  '': '',
  breast: t`breast`,
  spine: t`spine`,
  head: t`head`,
  neck: t`neck`,
  heart: t`heart`,
  chest: t`chest`,
  abdomen: t`abdomen`,
  pelvis: t`pelvis`,
  hip: t`hip`,
  knee: t`knee`,
  ankle: t`ankle`,
  foot: t`foot`,
  shoulder: t`shoulder`,
  elbow: t`elbow`,
  wrist: t`wrist`,
  hand: t`hand`,
};

/** Returns the body part of a study, from BodyPartExamined of its series, or else from the study description. */
export const bodyPartOf = (
  series: readonly Pick<SeriesSummary, 'bodyPartExamined'>[],
  description: string,
): BodyPart => {
  const bodyPartText = series.map(({ bodyPartExamined }) => bodyPartExamined.toLowerCase()).join(' ');
  return firstMatch(parts, bodyPartText) || firstMatch(parts, description.toLowerCase());
};
