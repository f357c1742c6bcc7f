import { languageOf } from './report-check-lexicon.ts';
import type { ReportLanguage } from './report-sections.ts';

/** Common words of English reports that no other language in Latin script uses. */
const english = new RegExp(
  `(?<!\\p{L})(?:${[
    'the and with without there this that which has have been were no nor see above below',
    'findings comparison recommendation history exam scan views clear unremarkable enlarged unchanged seen noted within',
    'limits evidence likely suspicious size change left right upper lower middle both small large mild moderate severe',
    'old new free intact lung lungs heart bone bones liver kidney kidneys spleen bowel brain spine chest neck head hip',
    'knee shoulder wrist ankle foot breast vessels lymph nodes soft tissues joint gallbladder bladder lobe lobes rib ribs',
    'effusion mass cyst stone bleed hemorrhage haemorrhage air fluid tear swelling thickening enlargement narrowing',
    'follow-up recommended known prior previous now under tension',
  ]
    .join(' ')
    .replaceAll(' ', '|')})(?!\\p{L})`,
  'giu',
);

/** Minimum number of words to recognize a language. In a shorter text, the checks miss nothing important. */
const fewest = 5;
/** Minimum share of words in an English report that are in the list above. */
const leastShare = 0.1;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Returns the language of a report. Undefined for a language that the checks do not know. A short text in Latin script
 * counts as English.
 */
export const knownLanguageOf = (text: string): ReportLanguage | undefined => {
  const letters = countOf(text, /\p{L}/gu);
  const known = countOf(text, /\p{Script=Latin}|\p{Script=Han}/gu);
  if (known < letters / 2) return undefined;
  const language = languageOf(text);
  if (language !== 'en') return language;
  const words = countOf(text, /\p{L}+/gu);
  return words < fewest || countOf(text, english) >= words * leastShare ? 'en' : undefined;
};
