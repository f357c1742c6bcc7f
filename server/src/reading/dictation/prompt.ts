import type { ReportLanguage } from '@radwork/contract/reading/report-sections';
import { vocabulary } from './vocabulary.ts';

/** Characters of the reader's own words. The recognizer reads about 224 tokens and drops the beginning of the rest. */
const roomForOwnWords = 200;

/**
 * Returns the text that tells the recognizer the subject: radiology terms, words that the reader has corrected, and the
 * text before the cursor. The text stands last, because it says most about the next words.
 */
export const promptFor = (language: ReportLanguage, ownWords: readonly string[], before: string): string =>
  [`${[...fitting(ownWords), ...vocabulary[language]].join(', ')}.`, before.trim()].filter(Boolean).join(' ');

const fitting = (words: readonly string[]): string[] => {
  const taken: string[] = [];
  let room = roomForOwnWords;
  for (const word of words) {
    room -= word.length + 2;
    if (room < 0) break;
    taken.push(word);
  }
  return taken;
};

/** Fewest terms in a row that only the list of words contains. */
const fewestInRow = 4;

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Returns whether a text consists only of at least four terms of the list in their order. Some recognizers repeat the
 * list when they hear no speech; the reader did not say these words.
 */
export const repeatsPrompt = (text: string, language: ReportLanguage, ownWords: readonly string[]): boolean => {
  const heard = bare(text);
  if (heard === '') return false;
  const terms = [...fitting(ownWords), ...vocabulary[language]].map(bare);
  return terms.some((_, from) => {
    for (let end = from + fewestInRow; end <= terms.length; end += 1) {
      const stretch = terms.slice(from, end).join(' ');
      if (stretch === heard) return true;
      if (stretch.length > heard.length) return false;
    }
    return false;
  });
};
