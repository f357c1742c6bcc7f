import { t } from '../core/translate.ts';
import { type CheckFacts, type FactConflict, placesOf } from './report-check-facts.ts';
import type { CheckLexicon } from './report-check-lexicon.ts';
import type { Sentence } from './report-check-text.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,9}\.?`;
const date = String.raw`\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2} ${monthName},? \d{4}|${monthName} \d{1,2},? \d{4}`;

const two = (number: number | string) => String(number).padStart(2, '0');

/** Returns the possible dates as YYYY-MM-DD. Reads month or day first if both readings are valid. */
const daysMeant = (words: string): string[] => {
  const [year = ''] = /\d{4}/.exec(words) ?? [];
  const monthIndex = months.findIndex((month) => words.toLowerCase().includes(month));
  const numbers = words.replace(year, '').match(/\d{1,2}/g) ?? [];
  if (monthIndex !== -1) return numbers.map((day) => `${year}-${two(monthIndex + 1)}-${two(day)}`);
  const [one = '', other = ''] = numbers;
  if (words.startsWith(year)) return [`${year}-${two(one)}-${two(other)}`];
  return [`${year}-${two(one)}-${two(other)}`, `${year}-${two(other)}-${two(one)}`];
};

const studyDateStated = new RegExp(
  String.raw`(?:date of (?:the )?(?:exam(?:ination)?|study|service|scan)|(?:exam(?:ination)?|study|scan) date|(?:performed|acquired|obtained) on)\s*:?\s*(?:${date})`,
  'gi',
);

/** Finds a date of this study that differs from the recorded date. */
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
          message: t`The report says “${place.words}”. The study date is ${day}.`,
          place,
        })),
    );
};

const datesInText = new RegExp(date, 'gi');

/** Finds dates of priors that this patient does not have, or that are after the study. Offers the prior that hangs. */
const wrongPriors = (sentence: Sentence, { priorDates, studyDate, hangingPrior }: CheckFacts): FactConflict[] => {
  const wrong = placesOf(sentence, datesInText).filter(
    ({ words }) => !daysMeant(words).some((day) => priorDates.includes(day)),
  );
  const offer = wrong.length === 1 && hangingPrior && !sentence.text.includes(hangingPrior.date) && hangingPrior.date;
  return wrong.map((place) => ({
    kind: 'PRIOR' as const,
    message: priorMessage(place.words, studyDate?.slice(0, 10)),
    place,
    ...(offer && { offer }),
  }));
};

const priorMessage = (words: string, studyDay: string | undefined): string => {
  const days = daysMeant(words);
  return studyDay !== undefined && days.length > 0 && days.every((day) => day > studyDay)
    ? t`The report mentions a prior of ${words}, but the study is of ${studyDay}.`
    : t`The report mentions a prior of ${words}, but this patient has no prior of that date here.`;
};

/** Phrases for a prior that is elsewhere, in the languages whose section names are known. */
const elsewhere =
  /\b(?:outside|external|elsewhere|another|extern\w*|auswärt\w*|fremd\w*|extérieur\w*|externe|extern[oa]|otro|altro|outro)\b|外院/iu;

/**
 * Finds wrong dates in the section with the comparison. Works in each language with known section names, because it reads
 * only dates. If the patient has no prior, `priorConflicts` says so.
 */
export const comparisonConflicts = (sentences: readonly Sentence[], facts: CheckFacts): FactConflict[] =>
  facts.priorDates.length === 0
    ? []
    : sentences
        .filter(({ section, isHeading, text }) => section === 'comparison' && !isHeading && !elsewhere.test(text))
        .flatMap((sentence) => wrongPriors(sentence, facts));

/** Finds a comparison with a study that is not here: the patient has no priors, or none on that date. */
export const priorConflicts = (
  sentences: readonly Sentence[],
  facts: CheckFacts,
  { prior, noPriorHere }: CheckLexicon,
): FactConflict[] =>
  sentences
    .filter(
      ({ text, section }) => section !== 'history' && section !== 'recommendation' && text.search(noPriorHere) === -1,
    )
    .flatMap((sentence) => {
      const isComparison = sentence.section === 'comparison' && !sentence.isHeading;
      const [namedPrior] = placesOf(sentence, prior);
      if (!namedPrior && !isComparison) return [];
      const place = namedPrior ?? sentence;
      if (facts.priorDates.length === 0) {
        return [
          {
            kind: 'PRIOR' as const,
            message: t`The report compares with a prior, but this patient has no priors here.`,
            place,
          },
        ];
      }
      // comparisonConflicts reads the dates of the section.
      return isComparison ? [] : wrongPriors(sentence, facts);
    });
