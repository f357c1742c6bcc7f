import { z } from 'zod';
import type { CheckLexicon } from './report-check-lexicon.ts';
import { assertionOf } from './report-check-negation.ts';
import type { Place, Sentence } from './report-check-text.ts';

/** What is on record about a study, to be compared with what its report says. */
export const checkFacts = z.object({
  /** As it is on record; of somebody neither M nor F nothing is concluded. */
  sex: z.string(),
  /** In whole years when the study was made; null when either date is unknown. */
  age: z.number().nullable(),
  /** A DICOM code, or several. */
  modality: z.string(),
  /** YYYY-MM-DD. */
  studyDate: z.string().nullable(),
  /** The days of the patient's earlier studies, as far as the caller may know of them. */
  priorDates: z.array(z.string()),
  /** Whether the report is flagged as critical, or a critical finding is recorded with it. */
  isFlaggedCritical: z.boolean(),
  /** Critical findings of which nobody was told yet. */
  openCriticalFindings: z.number(),
  /** Images that have come since the caller opened the text to write, or since it was last saved if that is earlier. */
  newImages: z.number(),
});
export type CheckFacts = z.infer<typeof checkFacts>;

/** Something in the text that is not as it is on record. */
export type FactConflict = { kind: 'SEX' | 'AGE' | 'MODALITY' | 'STUDY_DATE' | 'PRIOR'; message: string; place: Place };

const placesOf = ({ text, from }: Sentence, pattern: RegExp): (Place & { words: string })[] =>
  Array.from(text.matchAll(pattern), ({ 0: words, index }) => ({
    words,
    from: from + index,
    to: from + index + words.length,
  }));

const within = (sentence: Sentence, { from, to }: Place): Place => ({
  from: from - sentence.from,
  to: to - sentence.from,
});

/** Parts of the body that a person of the recorded sex does not have, unless it is said that they are not there. */
export const sexConflicts = (
  sentences: readonly Sentence[],
  { sex }: CheckFacts,
  lexicon: CheckLexicon,
): FactConflict[] => {
  if (sex !== 'M' && sex !== 'F') return [];
  const [other, recorded] = sex === 'M' ? (['F', 'male'] as const) : (['M', 'female'] as const);
  const asRecorded = `The patient is on record as ${recorded}.`;
  return sentences
    .filter(({ text }) => text.search(lexicon.relatives) === -1)
    .flatMap((sentence) => [
      ...placesOf(sentence, lexicon.anatomy[other])
        .filter((place) => assertionOf(sentence.text, within(sentence, place), lexicon) !== 'absent')
        // One word of a sentence is enough to look at it.
        .slice(0, 1)
        .map((place) => ({ kind: 'SEX' as const, message: `“${place.words}” is named. ${asRecorded}`, place })),
      ...placesOf(sentence, lexicon.people[other])
        .filter((place) =>
          /year|old|\d/.test(
            sentence.text.slice(Math.max(0, place.from - sentence.from - 20), place.from - sentence.from),
          ),
        )
        .map((place) => ({
          kind: 'SEX' as const,
          message: `The text speaks of a ${place.words}. ${asRecorded}`,
          place,
        })),
    ]);
};

const ageInWords =
  /(?<!\p{N})(\d{1,3})[\s-]?(?:years?|yrs?)[\s-]?old|(?<!\p{N})(\d{1,3})[\s-]?y\/?o(?!\p{L})|\baged (\d{1,3})(?!\p{N})/giu;

/** An age in the text which is not that of the patient; a birthday between two dates is none. */
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
          message: `“${place.words}” is not the age of this patient, who was ${age} at this study.`,
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

/** A modality that is named where a report says what was done, and not the one of the study. */
export const modalityConflicts = (sentences: readonly Sentence[], { modality }: CheckFacts): FactConflict[] => {
  const codes = modality.toUpperCase().split(/[^A-Z]+/);
  const own = Object.values(families).filter((family) => family.codes.some((code) => codes.includes(code)));
  if (own.length === 0) return [];
  const namesOwn = ({ text }: Sentence) => own.some(({ words }) => text.search(words) !== -1);
  // Before the first part that has a name stands what the report is about.
  const stated = sentences.filter(
    ({ section, isHeading }) => section === 'technique' || (section === undefined && isHeading),
  );
  // Where this modality is named as well, others are what it is told apart from.
  const doubtful = stated.some(namesOwn) ? [] : stated;
  const [place] = [...doubtful, ...sentences.flatMap(thisExamination).filter((words) => !namesOwn(words))].flatMap(
    (sentence) =>
      Object.values(families)
        .filter((family) => !own.includes(family))
        .flatMap(({ words }) => placesOf(sentence, words)),
  );
  if (!place) return [];
  const message = `“${place.words}” is named, and this study is ${own.map(({ name }) => name).join(' and ')}.`;
  return [{ kind: 'MODALITY', message, place }];
};

/** "This CT shows": wherever it stands, it is about this study. */
const thisExamination = (sentence: Sentence): Sentence[] =>
  Array.from(
    sentence.text.matchAll(/\b(?:[Tt]his|[Tt]he present|[Tt]he current) (?:[\w-]+ )?[\w-]+/g),
    ({ 0: text, index }) => ({
      ...sentence,
      text,
      from: sentence.from + index,
      to: sentence.from + index + text.length,
    }),
  );

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,9}\.?`;
const date = String.raw`\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2} ${monthName},? \d{4}|${monthName} \d{1,2},? \d{4}`;

const two = (number: number | string) => String(number).padStart(2, '0');

/** The days that a date can mean: with the month first or the day first, where both are possible. As YYYY-MM-DD. */
const daysMeant = (words: string): string[] => {
  const [year = ''] = /\d{4}/.exec(words) ?? [];
  const named = months.findIndex((month) => words.toLowerCase().includes(month));
  const numbers = words.replace(year, '').match(/\d{1,2}/g) ?? [];
  if (named !== -1) return numbers.map((day) => `${year}-${two(named + 1)}-${two(day)}`);
  const [one = '', other = ''] = numbers;
  if (words.startsWith(year)) return [`${year}-${two(one)}-${two(other)}`];
  return [`${year}-${two(one)}-${two(other)}`, `${year}-${two(other)}-${two(one)}`];
};

const studyDateStated = new RegExp(
  String.raw`(?:date of (?:the )?(?:exam(?:ination)?|study|service|scan)|(?:exam(?:ination)?|study|scan) date|(?:performed|acquired|obtained) on)\s*:?\s*(?:${date})`,
  'gi',
);

/** A day that the text gives for this study, and is another one. */
export const dateConflicts = (sentences: readonly Sentence[], { studyDate }: CheckFacts): FactConflict[] => {
  if (studyDate === null) return [];
  const day = studyDate.slice(0, 10);
  return sentences
    .filter(({ section, text }) => section !== 'comparison' && !/\b(?:prior|previous|earlier|compar)/i.test(text))
    .flatMap((sentence) =>
      placesOf(sentence, studyDateStated)
        .filter(({ words }) => !daysMeant(new RegExp(`(?:${date})$`, 'i').exec(words)?.[0] ?? '').includes(day))
        .map((place) => ({
          kind: 'STUDY_DATE' as const,
          message: `“${place.words}” is not the day of this study, which was made on ${day}.`,
          place,
        })),
    );
};

const datesInText = new RegExp(date, 'gi');

/** A comparison with a study that is not here: none at all, or none of the day that is named. */
export const priorConflicts = (
  sentences: readonly Sentence[],
  { priorDates }: CheckFacts,
  { prior, noPriorHere }: CheckLexicon,
): FactConflict[] =>
  sentences
    .filter(
      ({ text, section }) => section !== 'history' && section !== 'recommendation' && text.search(noPriorHere) === -1,
    )
    .flatMap((sentence) => {
      const isComparison = sentence.section === 'comparison' && !sentence.isHeading;
      const [named] = placesOf(sentence, prior);
      if (!named && !isComparison) return [];
      const place = named ?? sentence;
      if (priorDates.length === 0) {
        return [
          {
            kind: 'PRIOR' as const,
            message: 'An earlier study is compared with, and this patient has none here.',
            place,
          },
        ];
      }
      return placesOf(sentence, datesInText)
        .filter(({ words }) => !daysMeant(words).some((day) => priorDates.includes(day)))
        .map((wrong) => ({
          kind: 'PRIOR' as const,
          message: `An earlier study of ${wrong.words} is named, and this patient has none of that day here.`,
          place: wrong,
        }));
    });
