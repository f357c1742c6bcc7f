import type { Place } from './report-check-text.ts';

/**
 * Passage of a report, described so that it can be found again in a later text: its words with their surroundings
 * (TextQuoteSelector) and its position (TextPositionSelector). Both follow the W3C Web Annotation Data Model (2017),
 * sections 4.2.4 and 4.2.5, and refer to the visible text (`visibleText`). Unlike there, positions count UTF-16 units,
 * as `Place` does.
 */
export type TextAnchor = { exact: string; prefix: string; suffix: string; start: number; end: number };

/** Place of the passage of an anchor. `isCertain` is false if another place fits equally well. */
export type FoundPassage = Place & { isCertain: boolean };

/** Number of characters of the surroundings that an anchor stores on each side. */
export const anchorContext = 32;

/** Characters next to the passage that must be unchanged on one side. */
const leastContext = 8;

/** Length from which a passage that occurs once identifies itself, whatever surrounds it. */
const longPassage = 24;

/** Returns the anchor of a passage without white space at its ends; undefined if nothing else is selected. */
export const anchorOf = (text: string, { from, to }: Place): TextAnchor | undefined => {
  const words = text.slice(from, to);
  const exact = words.trim();
  if (exact === '') return undefined;
  const start = from + words.length - words.trimStart().length;
  const end = start + exact.length;
  return {
    exact,
    // A cut through a surrogate pair would leave half a character.
    prefix: text.slice(Math.max(0, start - anchorContext), start).replace(/^[\uDC00-\uDFFF]/, ''),
    suffix: text.slice(end, end + anchorContext).replace(/[\uD800-\uDBFF]$/, ''),
    start,
    end,
  };
};

/**
 * Finds the passage of an anchor in a text. The words must be the same, except for white space, and the text on one
 * side must be unchanged. So the same words elsewhere are not taken for the passage. Among several places, the one with
 * the most similar surroundings wins, then the nearest. Returns undefined if the passage is gone.
 */
export const findPassage = (text: string, anchor: TextAnchor): FoundPassage | undefined => {
  const [best, second] = candidatesFor(text, anchor);
  return best && { from: best.from, to: best.to, isCertain: second?.likeness !== best.likeness };
};

/**
 * Finds the passage of a suggestion, like `findPassage`. The place is certain only if the stored surroundings are
 * unchanged on both sides, there and nowhere else. A report often says the same about both sides of the body. When the
 * passage about one side was rewritten, the other is similar, and the suggestion must not change it.
 */
export const findSuggestion = (text: string, anchor: TextAnchor): FoundPassage | undefined => {
  const candidates = candidatesFor(text, anchor);
  const [best] = candidates;
  const isCertain = best?.isUnchanged === true && candidates.filter(({ isUnchanged }) => isUnchanged).length === 1;
  return best && { from: best.from, to: best.to, isCertain };
};

type Candidate = Place & { likeness: number; isUnchanged: boolean };

/** Returns the places that can be the passage of an anchor, the likeliest first. */
const candidatesFor = (text: string, anchor: TextAnchor): Candidate[] => {
  const { words, starts } = folded(text);
  const exact = foldSpace(anchor.exact).trim();
  if (exact === '') return [];
  const prefix = foldSpace(anchor.prefix);
  const suffix = foldSpace(anchor.suffix);
  const places = occurrences(words, exact);
  const isSelfEvident = places.length === 1 && exact.length >= longPassage;
  return places
    .map((at) => {
      const [before, after] = [words.slice(0, at), words.slice(at + exact.length)];
      const like = { before: commonEnd(before, prefix), after: commonStart(after, suffix) };
      const fits = isKept(like.before, prefix, before) || isKept(like.after, suffix, after) || isSelfEvident;
      const isUnchanged =
        isKept(like.before, prefix, before, anchorContext) && isKept(like.after, suffix, after, anchorContext);
      const from = starts[at] ?? 0;
      const to = (starts[at + exact.length - 1] ?? from) + 1;
      return { from, to, likeness: like.before + like.after, isUnchanged, fits };
    })
    .filter(({ fits }) => fits)
    .toSorted((one, other) => other.likeness - one.likeness || distance(one, anchor) - distance(other, anchor));
};

/** Whether two passages have the same words, ignoring white space. */
export const isSamePassage = (one: string, other: string): boolean => foldSpace(one).trim() === foldSpace(other).trim();

/** Whether two passages have the same words in the same lines, ignoring other white space. */
export const hasSameLines = (one: string, other: string): boolean => foldLines(one) === foldLines(other);

const foldLines = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => foldSpace(line).trim())
    .join('\n');

const distance = ({ from }: Place, { start }: TextAnchor): number => Math.abs(from - start);

/** Whether enough of the text on one side is unchanged. At the start or end of a report, there is no such text. */
const isKept = (common: number, stored: string, found: string, least = leastContext): boolean =>
  stored.trim() === '' ? found.trim() === '' : common >= Math.min(stored.length, least);

const foldSpace = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Replaces white space of any length by one space. `starts` has the position of each character in the text. */
const folded = (text: string): { words: string; starts: number[] } => {
  const starts: number[] = [];
  let words = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const isSpace = /\s/.test(character);
    if (isSpace && words.endsWith(' ')) continue;
    words += isSpace ? ' ' : character;
    starts.push(at);
  }
  return { words, starts };
};

const occurrences = (text: string, words: string): number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
};

const commonStart = (one: string, other: string): number => {
  let length = 0;
  while (length < other.length && one[length] === other[length]) length += 1;
  return length;
};

const commonEnd = (one: string, other: string): number => {
  let length = 0;
  while (length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
};
