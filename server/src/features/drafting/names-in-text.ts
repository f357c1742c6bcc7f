import type { Stretch } from './withheld.ts';

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae', ß: 'ss' };

const plain = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll(/['’`]/g, '');

/** With the letters that people write out where a keyboard lacks them: "müller" as "mueller". */
const writtenOut = (word: string): string =>
  plain(
    word
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/[äöüåøæß]/g, (letter) => umlauts[letter] ?? letter),
  );

/** Scripts that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Titles and degrees are part of a stored name, but say nothing about whose it is. */
const titles = new Set('dr prof mr mrs ms miss md phd jr sr ii iii iv herr frau'.split(' '));

/** All parts of a name as DICOM or people write it, in the spellings in which they may stand in a text. */
export const foldedName = (name: string): string[] => {
  const parts = name.split(/[\s^=,;./]+/).flatMap((part) => [part, ...part.split('-')]);
  const spelled = parts.flatMap((part) => [plain(part), writtenOut(part)]);
  return [...new Set(spelled)].filter((part) => isTelling(part) && !titles.has(part));
};

const isTelling = (part: string): boolean => part.length > 1 || unspaced.test(part);

const words = /[\p{L}\p{M}\p{N}'’`]+/gu;

/** Where the parts of names stand in a text, in whatever order, case and spelling. */
export const namesIn = (text: string, folded: ReadonlySet<string>): Stretch[] => {
  const own = Array.from(text.matchAll(words), ({ index, 0: word }) => ({
    word,
    from: index,
    to: index + word.length,
  }));
  const asWords = own.filter(({ word }) => spellingsOf(word).some((spelling) => folded.has(spelling)));
  const withoutSpaces = [...folded]
    .filter((part) => unspaced.test(part))
    .flatMap((part) => Array.from(text.matchAll(new RegExp(part, 'giu')), ({ index }) => stretch(index, part)));
  return [...asWords, ...withoutSpaces].map(({ from, to }) => ({ from, to }));
};

const stretch = (from: number, part: string): Stretch => ({ from, to: from + part.length });

/** A word as it is, and without the ending of a genitive: "Doe's", "Müllers". */
const spellingsOf = (word: string): string[] => {
  const bare = word.replace(/['’`]s$/i, '');
  return [...new Set([plain(word), writtenOut(word), plain(bare), plain(word).replace(/s$/, '')])].filter(isTelling);
};
