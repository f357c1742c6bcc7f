import type { Correction } from '@radwork/contract/reading/dictation';
import { type DictationLanguage, tongueOf } from '#reading/editor/dictation/dictation-languages.ts';

const escaped = (phrase: string) =>
  phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`);

const keyOf = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ');

const startsUpper = (text: string) => /^\p{Lu}/u.test(text);

/**
 * Replaces the words of a recognizer by the words that the reader says, as whole words and without regard to case. If
 * several corrections match, the longest applies. A replaced text is not corrected again.
 */
export const applyCorrections = (
  utterance: string,
  corrections: readonly Pick<Correction, 'written' | 'said'>[],
  language: DictationLanguage,
): string => {
  if (corrections.length === 0) return utterance;
  const saidFor = new Map(corrections.map(({ written, said }) => [keyOf(written), said]));
  const names = [...saidFor.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join('|');
  const pattern =
    tongueOf(language) === 'zh'
      ? new RegExp(names, 'giu')
      : new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${names})(?![\p{L}\p{N}])`, 'giu');
  return utterance.replaceAll(pattern, (match, at: number) => {
    const said = saidFor.get(keyOf(match)) ?? match;
    // Keeps the capital at the beginning of a sentence.
    const isAtStart = at === 0 || /[.!?]\s+$/.test(utterance.slice(0, at));
    return isAtStart && startsUpper(match) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  });
};
