import { foldedWord, writtenOut } from './folded-word.ts';
import type { Stretch } from './stretch.ts';

/** Letters of scripts that put no spaces between words. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
export const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');

/** Matches words in scripts with and without spaces, and numbers. Everything else separates them. */
export const runs = new RegExp(
  String.raw`(?:[${unspaced}]\p{M}*)+|(?:(?![${unspaced}])\p{L}[\p{M}'’‘ʼ${'`'}]*)+|\p{N}+`,
  'gu',
);

/** Titles and degrees are parts of stored names, but do not identify a person. */
export const titles = new Set('dr prof mr mrs ms miss md phd jr sr ii iii iv herr frau geb née nee'.split(' '));

/** In these scripts, full names have at most this many letters. */
const longestUnspacedName = 4;

type NameParts = {
  /** Words that are searched unchanged. */
  words: ReadonlySet<string>;
  /** Words without their final vowels, for languages in which these vowels change. */
  stems: ReadonlySet<string>;
  /** Names that are searched within text without spaces. */
  unspaced: ReadonlySet<string>;
};

/** Finds parts of personal names in a text, in any order, case, spelling and grammatical form. */
export const namesIn = (names: readonly string[]): ((text: string) => Stretch[]) => {
  const parts = partsOf(names);
  return (text) => [...wordsIn(text, parts), ...unspacedIn(text, parts.unspaced)];
};

const partsOf = (names: readonly string[]): NameParts => {
  const matches = names.flatMap((name) => Array.from(name.matchAll(runs), ([run]) => run));
  const words = new Set(
    matches
      .filter((run) => !isUnspaced.test(run))
      .flatMap((run) => [run, ...run.split(/['’‘ʼ`]/)])
      .flatMap((run) => [foldedWord(run), writtenOut(run)])
      .filter((word) => word.length > 1 && !titles.has(word)),
  );
  const stems = [...words].map(stemOf).filter((stem) => stem.length >= shortestStem(stem));
  const together = matches.filter((run) => isUnspaced.test(run)).flatMap((run) => [run, ...givenNames(run)]);
  return { words, stems: new Set(stems), unspaced: new Set(together.map(foldedWord).filter(Boolean)) };
};

/** Returns the given name of a full name without a separator. The first one or two letters are the family name. */
const givenNames = (name: string): string[] => {
  const letters = Array.from(name.normalize('NFC'));
  if (letters.length > longestUnspacedName) return [];
  return [letters.slice(1), letters.slice(2)].filter(({ length }) => length > 1).map((rest) => rest.join(''));
};

const wordsIn = (text: string, { words, stems }: NameParts): Stretch[] =>
  Array.from(text.matchAll(runs), ({ index, 0: run }) => ({ run, from: index, to: index + run.length }))
    .filter(({ run }) => spellingsOf(run).some((word) => words.has(word) || hasStem(word, stems)))
    .map(({ from, to }) => ({ from, to }));

/** Returns the spellings of a word for comparison, and those without a genitive ending: "Doe's", "Müllers". */
const spellingsOf = (run: string): string[] => {
  const bare = run.replace(/['’‘ʼ`]\p{L}{1,4}$/u, '');
  return [foldedWord(run), writtenOut(run), foldedWord(bare), foldedWord(run).replace(/s$/, '')];
};

const stemOf = (word: string): string => word.replace(/(?<![aeiouyаеиоуыэюяь])[aeiouyаеиоуыэюяь]+$/u, '');

/** Shorter stems would match words that are not names. */
const shortestStem = (stem: string): number => (/\p{Script=Cyrillic}/u.test(stem) ? 3 : 4);

/** Endings of names in languages that inflect names: "Иванова", "Kowalczyka", "Novákovi". */
const endings = /^(?:\p{Script=Cyrillic}{0,3}|a|u|y|i|e|o|ie|em|om|owi|ovi|iem|ego|emu|ova|ove|ou)$/u;
const longestEnding = 3;

const hasStem = (word: string, stems: ReadonlySet<string>): boolean =>
  Array.from({ length: longestEnding + 1 }, (_, size) => word.length - size).some(
    (size) => size > 0 && stems.has(word.slice(0, size)) && endings.test(word.slice(size)),
  );

/** Finds the parts as plain text, not as patterns, in a text converted letter by letter. */
const unspacedIn = (text: string, parts: ReadonlySet<string>): Stretch[] => {
  if (parts.size === 0) return [];
  let folded = '';
  const letters: Stretch[] = [];
  for (const { index, 0: letter } of text.matchAll(/\P{M}\p{M}*/gu)) {
    const plain = foldedWord(letter);
    for (let unit = 0; unit < plain.length; unit++) letters.push({ from: index, to: index + letter.length });
    folded += plain;
  }
  return [...parts].flatMap((part) =>
    placesOf(part, folded).flatMap((at) => {
      const [first, last] = [letters[at], letters[at + part.length - 1]];
      return first && last ? [{ from: first.from, to: last.to }] : [];
    }),
  );
};

const placesOf = (part: string, text: string): number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
};
