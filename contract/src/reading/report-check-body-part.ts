import { t } from '../core/translate.ts';
import { type CheckFacts, type FactConflict, placesOf, thisExamination } from './report-check-facts.ts';
import type { Sentence } from './report-check-text.ts';

type Region = {
  /** Names in reports and study descriptions, in English. */
  words: string;
  /** Names in BodyPartExamined (PS3.16 Annex L), if other. */
  codes?: readonly string[];
  /** Regions that the same examination may show, so that one of them does not contradict the other. */
  near?: readonly string[];
};

const regions: Record<string, Region> = {
  head: {
    words: 'head|brain|skull|cranial|cranium|cerebral|orbits?|sinus(?:es)?|face|facial|temporal bones?|pituitary|iac',
    codes: ['IAC', 'ORBIT', 'SINUS'],
    near: ['neck'],
  },
  neck: { words: 'neck|carotids?|thyroid|larynx', near: ['head', 'cervical spine', 'chest'] },
  chest: {
    words: 'chest|thorax|lungs?|pulmonary arter(?:y|ies)|pulmonary|ribs?',
    near: ['neck', 'thoracic spine', 'heart', 'breast', 'aorta'],
  },
  heart: { words: 'heart|cardiac|coronary arter(?:y|ies)|coronary', near: ['chest', 'aorta'] },
  aorta: { words: 'aorta|aortic', near: ['chest', 'heart', 'abdomen', 'pelvis'] },
  breast: { words: 'breasts?|mammary', near: ['chest'] },
  abdomen: {
    words: 'abdomen|abdominal|liver|kidneys?|renal|pancreas|urinary tract|enterography|urography',
    near: ['pelvis', 'lumbar spine', 'aorta'],
  },
  pelvis: {
    words: 'pelvis|pelvic|prostate|uterus|bladder|rectum|rectal|scrotum|scrotal',
    near: ['abdomen', 'hip', 'aorta'],
  },
  'cervical spine': { words: 'cervical spine|c-?spine', codes: ['CSPINE'], near: ['neck', 'spine'] },
  'thoracic spine': { words: 'thoracic spine|t-?spine|dorsal spine', codes: ['TSPINE'], near: ['chest', 'spine'] },
  'lumbar spine': {
    words: 'lumbar spine|l-?spine|lumbosacral spine',
    codes: ['LSPINE', 'LSSPINE', 'SSPINE'],
    near: ['abdomen', 'spine'],
  },
  spine: { words: '(?:whole |entire |total )?spine', near: ['cervical spine', 'thoracic spine', 'lumbar spine'] },
  shoulder: { words: 'shoulders?|clavicles?|scapula', near: ['arm', 'chest'] },
  arm: { words: 'arms?|humerus|upper extremit(?:y|ies)', codes: ['EXTREMITY'], near: ['shoulder', 'elbow', 'forearm'] },
  elbow: { words: 'elbows?', near: ['arm', 'forearm'] },
  forearm: { words: 'forearms?', near: ['elbow', 'wrist', 'arm'] },
  wrist: { words: 'wrists?|scaphoid', near: ['hand', 'forearm'] },
  hand: { words: 'hands?|fingers?|thumbs?', codes: ['FINGER'], near: ['wrist'] },
  hip: { words: 'hips?', near: ['pelvis', 'thigh'] },
  thigh: {
    words: 'thighs?|femurs?|lower extremit(?:y|ies)|legs?',
    codes: ['LEG', 'EXTREMITY'],
    near: ['hip', 'knee', 'lower leg', 'ankle'],
  },
  knee: { words: 'knees?', near: ['thigh', 'lower leg'] },
  'lower leg': { words: 'lower legs?|tibia|calf', near: ['knee', 'ankle', 'thigh'] },
  ankle: { words: 'ankles?', near: ['foot', 'lower leg', 'thigh'] },
  foot: { words: 'foot|feet|toes?|calcaneus', codes: ['TOE'], near: ['ankle'] },
};

const names = Object.keys(regions);

const anyOf = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'giu');

/** Returns the regions that a text names. A longer name hides a shorter one within: "lumbar spine" is not "spine". */
const regionsIn = (text: string): string[] => {
  let rest = text;
  return names
    .toSorted((one, other) => other.length - one.length)
    .filter((name) => {
      const pattern = anyOf(regions[name]?.words ?? '');
      const isNamed = rest.search(pattern) !== -1;
      rest = rest.replaceAll(pattern, ' ');
      return isNamed;
    });
};

/** Values of BodyPartExamined that mean the whole body or nothing certain. */
const wide = /whole ?body|unknown|various/i;

const regionsOfStudy = ({ bodyParts }: CheckFacts): string[] => [
  ...new Set(
    bodyParts.flatMap((part) => [
      ...regionsIn(part),
      ...names.filter((name) => regions[name]?.codes?.includes(part.toUpperCase())),
      // Some values join two names: "CHESTABDOMEN".
      ...names.filter((name) => /^[A-Z]{6,}$/.test(part) && part.includes(name.toUpperCase().replace(' ', ''))),
    ]),
  ),
];

const modality =
  '(?:CT|CTA|HRCT|MRI|MR|MRA|ultrasound|US|sonography|radiographs?|x-?rays?|mammogra(?:m|phy)|scan|angiography|examination|study)';
const filler =
  '(?:(?:of|the|both|bilateral|left|right|and|without|with|angiography|angiogram|imaging|examination|scan|radiographs?|views?) ){0,8}';
/** "CT of the left knee" or "knee MRI". */
const examination = (words: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${modality} ${filler}(?:${words})|(?:${words}) ${modality})(?![\\p{L}\\p{N}])`,
    'giu',
  );
const anyRegion = names.map((name) => regions[name]?.words ?? '').join('|');
const otherExamination =
  /\b(?:prior|previous|earlier|compar\w*|recommend\w*|dated|outside|advise\w*|suggest\w*|consider\w*|follow-?up)\b/i;

/** Sentences that name the examination: the title, the technique, and phrases such as "This CT of the chest". */
const statedIn = (sentences: readonly Sentence[]): Sentence[] => {
  const current = sentences.filter(({ text }) => !otherExamination.test(text));
  return [
    ...current.filter(({ section, isHeading }) => section === 'technique' || (section === undefined && isHeading)),
    ...current.flatMap((sentence) => thisExamination(sentence).map((place) => withWordsBehind(sentence, place))),
  ];
};

/**
 * Finds a body part that differs from that of the study, where the report names its examination: in its title, in the
 * technique, and in phrases such as "This CT of the chest".
 */
export const bodyPartConflicts = (sentences: readonly Sentence[], facts: CheckFacts): FactConflict[] => {
  if (facts.bodyParts.some((part) => wide.test(part))) return [];
  const own = regionsOfStudy(facts);
  if (own.length === 0) return [];
  const fits = (name: string) => own.includes(name) || (regions[name]?.near ?? []).some((near) => own.includes(near));
  const named = statedIn(sentences).flatMap((sentence) => placesOf(sentence, examination(anyRegion)));
  // If the report names a part of the study too, it describes more than one examination.
  if (named.some(({ words }) => regionsIn(words).some(fits))) return [];
  const place = named.find(({ words }) => regionsIn(words).length > 0);
  if (!place) return [];
  const part = own.join(', ');
  return [{ kind: 'BODY_PART', message: t`The report says “${place.words}”. The study is of: ${part}.`, place }];
};

type Side = 'left' | 'right';

/** The only side that a text names; undefined if it names both or none. */
const onlySide = (text: string): Side | undefined => {
  const [isLeft, isRight] = [/\b(?:left|lt)\b/i.test(text), /\b(?:right|rt)\b/i.test(text)];
  if (isLeft === isRight || /\b(?:bilateral|both)\b/i.test(text)) return undefined;
  return isLeft ? 'left' : 'right';
};

/** Finds a title or technique that names the other side than the description of the study, such as "MRI right knee". */
export const studySideConflicts = (sentences: readonly Sentence[], { bodyParts }: CheckFacts): FactConflict[] => {
  const description = bodyParts.join(' ');
  const own = onlySide(description);
  if (own === undefined) return [];
  const stated = statedIn(sentences).filter(({ text }) => text.search(anyOf(anyRegion)) !== -1);
  if (stated.some(({ text }) => anyOf(own).test(text))) return [];
  const wrong = stated.find(({ text }) => onlySide(text) !== undefined);
  const [place] = wrong ? placesOf(wrong, /\b(?:left|right)\b[^.;,]{0,20}/gi) : [];
  if (!place) return [];
  return [{ kind: 'SIDE', message: t`The report says “${place.words}”. The study description says ${own}.`, place }];
};

/** Extends "This CT" by the words that follow, which often name the part of the body: "This CT of the chest". */
const withWordsBehind = (sentence: Sentence, place: Sentence): Sentence => {
  const from = place.from - sentence.from;
  const [words = ''] = /^[^.;,]{0,80}/.exec(sentence.text.slice(from)) ?? [];
  return { ...place, text: words, to: place.from + words.length };
};
