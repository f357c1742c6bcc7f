import { languageOf } from './report-check-lexicon.ts';
import type { ReportLanguage } from './report-sections.ts';

/** Words that English reports are made of, and those of no other language that is written in Latin letters. */
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

/** With fewer words nothing can be said of their language, and nothing is missed by it. */
const fewest = 5;
/** Of ten words of an English report one at least is among those above. */
const leastShare = 0.1;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * The language that a report is written in, where its words tell which of ours it is: undefined for any other language.
 * A few words in Latin letters are taken for English.
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
