import { t } from '../core/translate.ts';
import { z } from 'zod';
import type { CheckLexicon } from './report-check-lexicon.ts';
import { assertionOf } from './report-check-negation.ts';
import type { Place, Sentence } from './report-check-text.ts';

/** Recorded facts about a study, to compare with its report. */
export const checkFacts = z.object({
  /** Sex as recorded. Only M and F are checked. */
  sex: z.string(),
  /** Age in whole years on the day of the study; null if either date is unknown. */
  age: z.number().nullable(),
  /** One or more DICOM modality codes. */
  modality: z.string(),
  /** Date as YYYY-MM-DD. */
  studyDate: z.string().nullable(),
  /** Dates of the patient's earlier studies that the caller may see. */
  priorDates: z.array(z.string()),
  /** The earlier study that hangs next to this study; null if there is none. Its date is YYYY-MM-DD. */
  hangingPrior: z.object({ date: z.string(), description: z.string() }).nullable(),
  /** Body parts of the series, such as CHEST, and the description of the study. */
  bodyParts: z.array(z.string()),
  /** Values that were measured in the images of this study, with the label of their measurement. */
  measurements: z.array(
    z.object({ label: z.string(), values: z.array(z.object({ value: z.number(), unit: z.string() })) }),
  ),
  /** Whether the report is marked as critical or has a recorded critical finding. */
  isFlaggedCritical: z.boolean(),
  /** Number of critical findings not yet communicated. */
  openCriticalFindings: z.number(),
  /** Number of images that arrived after the text was opened, or after its last save if that is earlier. */
  newImages: z.number(),
});
export type CheckFacts = z.infer<typeof checkFacts>;

/** A statement in the report that contradicts the recorded facts. `offer`: the text to put in its place. */
export type FactConflict = {
  kind: 'SIDE' | 'SEX' | 'AGE' | 'MODALITY' | 'BODY_PART' | 'STUDY_DATE' | 'PRIOR' | 'MEASUREMENT';
  message: string;
  place: Place;
  offer?: string;
};

/** Returns the places of a pattern in a sentence, in characters of the report. */
export const placesOf = ({ text, from }: Sentence, pattern: RegExp): (Place & { words: string })[] =>
  Array.from(text.matchAll(pattern), ({ 0: words, index }) => ({
    words,
    from: from + index,
    to: from + index + words.length,
  }));

const within = (sentence: Sentence, { from, to }: Place): Place => ({
  from: from - sentence.from,
  to: to - sentence.from,
});

/**
 * Finds organs that a patient of the recorded sex does not have. Ignores organs that the report describes as absent.
 */
export const sexConflicts = (
  sentences: readonly Sentence[],
  { sex }: CheckFacts,
  lexicon: CheckLexicon,
): FactConflict[] => {
  if (sex !== 'M' && sex !== 'F') return [];
  const other = sex === 'M' ? 'F' : 'M';
  const mentions = (words: string) =>
    sex === 'M'
      ? t`The report mentions “${words}”. The record says male.`
      : t`The report mentions “${words}”. The record says female.`;
  const says = (words: string) =>
    sex === 'M'
      ? t`The report says “${words}”. The record says male.`
      : t`The report says “${words}”. The record says female.`;
  return sentences
    .filter(({ text }) => text.search(lexicon.relatives) === -1)
    .flatMap((sentence) => [
      ...placesOf(sentence, lexicon.anatomy[other])
        .filter((place) => assertionOf(sentence.text, within(sentence, place), lexicon) !== 'absent')
        // Reports only one organ per sentence.
        .slice(0, 1)
        .map((place) => ({
          kind: 'SEX' as const,
          message: mentions(place.words),
          place,
        })),
      ...placesOf(sentence, lexicon.people[other])
        .filter((place) =>
          /year|old|\d/.test(
            sentence.text.slice(Math.max(0, place.from - sentence.from - 20), place.from - sentence.from),
          ),
        )
        .map((place) => ({
          kind: 'SEX' as const,
          message: says(place.words),
          place,
        })),
    ]);
};

const ageInWords =
  /(?<!\p{N})(\d{1,3})[\s-]?(?:years?|yrs?)[\s-]?old|(?<!\p{N})(\d{1,3})[\s-]?y\/?o(?!\p{L})|\baged (\d{1,3})(?!\p{N})/giu;

/**
 * Finds an age that differs from the patient's age by more than a year. One year may be a birthday between the dates.
 */
export const ageConflicts = (
  sentences: readonly Sentence[],
  { age }: CheckFacts,
  { relatives, prior }: CheckLexicon,
): FactConflict[] => {
  if (age === null) return [];
  return sentences
    .filter(({ text }) => text.search(relatives) === -1 && text.search(prior) === -1)
    .flatMap((sentence) =>
      placesOf(sentence, ageInWords)
        .filter(({ words }) => Math.abs(Number(/\d+/.exec(words)?.[0]) - age) > 1)
        .map((place) => ({
          kind: 'AGE' as const,
          message: t`The report says “${place.words}”. The patient was ${age} on the study date.`,
          place,
        })),
    );
};

const families: Record<string, { codes: string[]; name: string; words: RegExp }> = {
  CT: { codes: ['CT'], name: 'CT', words: /\b(?:CT|CTA|HRCT|computed tomography)\b/g },
  MR: { codes: ['MR'], name: 'MR', words: /\b(?:MRI|MR|MRA|MRV|MRCP|magnetic resonance(?: imaging)?)\b/g },
  US: {
    codes: ['US', 'IVUS'],
    name: 'ultrasound',
    words: /\b(?:[Uu]ltrasound|[Ss]onograph(?:y|ic)|[Uu]ltrasonography|[Ss]onogram)\b/g,
  },
  XR: {
    codes: ['CR', 'DX', 'RF', 'PX', 'IO', 'XR'],
    name: 'radiography',
    words: /\b(?:[Rr]adiographs?|X-?[Rr]ays?|x-?rays?|plain films?)\b/g,
  },
  MG: { codes: ['MG'], name: 'mammography', words: /\b(?:[Mm]ammogra(?:m|ms|phy)|[Tt]omosynthesis)\b/g },
  PT: { codes: ['PT'], name: 'PET', words: /\bPET\b/g },
  NM: { codes: ['NM'], name: 'nuclear medicine', words: /\b(?:[Ss]cintigra(?:phy|m)|SPECT|[Bb]one scan)\b/g },
};

/** Finds another modality than that of the study where the report describes the examination. */
export const modalityConflicts = (sentences: readonly Sentence[], { modality }: CheckFacts): FactConflict[] => {
  const codes = modality.toUpperCase().split(/[^A-Z]+/);
  const own = Object.values(families).filter((family) => family.codes.some((code) => codes.includes(code)));
  if (own.length === 0) return [];
  const namesOwn = ({ text }: Sentence) => own.some(({ words }) => text.search(words) !== -1);
  // Sentences before the first named section also describe the examination.
  const stated = sentences.filter(
    ({ section, isHeading }) => section === 'technique' || (section === undefined && isHeading),
  );
  // If the modality of the study is named too, other modalities are only mentioned for comparison.
  const doubtful = stated.some(namesOwn) ? [] : stated;
  const [place] = [...doubtful, ...sentences.flatMap(thisExamination).filter((words) => !namesOwn(words))].flatMap(
    (sentence) =>
      Object.values(families)
        .filter((family) => !own.includes(family))
        .flatMap(({ words }) => placesOf(sentence, words)),
  );
  if (!place) return [];
  const names = own.map(({ name }) => name).join(' and ');
  const message = t`The report mentions “${place.words}”. The study modality is ${names}.`;
  return [{ kind: 'MODALITY', message, place }];
};

/** Sentences with a phrase such as "This CT shows", which refers to this study in any section. */
export const thisExamination = (sentence: Sentence): Sentence[] =>
  Array.from(
    sentence.text.matchAll(/\b(?:[Tt]his|[Tt]he present|[Tt]he current) (?:[\w-]+ )?[\w-]+/g),
    ({ 0: text, index }) => ({
      ...sentence,
      text,
      from: sentence.from + index,
      to: sentence.from + index + text.length,
    }),
  );
