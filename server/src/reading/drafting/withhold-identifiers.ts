import { birthDatesIn } from './birth-date-in-text.ts';
import { datesIn } from './dates-in-text.ts';
import { namesIn } from './names-in-text.ts';
import type { Stretch } from './stretch.ts';

/** Stored identifiers of the persons in a text. Empty strings are ignored. */
export type KnownIdentifiers = {
  /** Names in DICOM form or as free text. */
  names: readonly string[];
  /** Patient IDs, accession numbers, order numbers, addresses and UIDs. */
  values: readonly string[];
  phones: readonly string[];
  /** Dates as YYYY-MM-DD. */
  birthDates: readonly string[];
};

type IdentifierKind = 'NAME' | 'DATE' | 'ID' | 'UID' | 'PHONE' | 'EMAIL';

type Finder = [what: IdentifierKind, find: (text: string) => Stretch[]];

const matchesOf =
  (pattern: RegExp) =>
  (text: string): Stretch[] =>
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ from: index, to: index + match.length }));

/** Searches backward from the "@". A search from each letter would take quadratic time in long texts. */
const email = /(?=@)(?<=([\p{L}\p{N}._%+-]+))@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const emailsIn = (text: string): Stretch[] =>
  Array.from(text.matchAll(email), ({ index, 0: domain, 1: name = '' }) => ({
    from: index - name.length,
    to: index + domain.length,
  }));
/** A UID has at least five components. Version numbers and measurements have fewer. */
const uid = /(?<![\d.])\d+(?:\.\d+){4,}(?!\.*\d)/g;
const phone =
  /(?<![\w.])(?:\+\d{1,3}[\s()./-]*\d(?:[\s()./-]*\d){5,12}|\(?0\d{1,4}\)?[\s/-]+\d(?:[\s/-]*\d){4,10}|\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}|\d{3}-\d{4})(?![\w]|[.,]\d)/g;
/** Finds an identifier after a label such as "MRN". The limits bound the time of the lookbehind at each character. */
const labeledId =
  /(?=[A-Z\d])(?<=\b(?:MRN|SSN|NHS|patient[ -]?(?:id|no|number|nr)|accession(?:[ -]?(?:no|number|nr))?|case[ -]?(?:no|number|nr)|order[ -]?(?:no|number|nr))\.?[ :#]{0,80})(?=[A-Z\d/-]{0,80}\d)[A-Z\d][A-Z\d/-]{2,}/gi;
/** Matches numbers of at least seven digits. Measurements have fewer. */
const longNumber = /(?<![\d.])\d{7,}(?![\d]|\.\d)/g;

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Matches a value as a separate word, in any case. */
const wordPattern = (value: string): RegExp => {
  const words = value.split(/\s+/).map(escaped);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`, 'giu');
};

/** Minimum length of an identifier. Shorter numbers would also match in measurements. */
const shortestNumber = 5;

/** Matches letters and digits of an identifier, grouped in any way, even directly after other letters. */
const numberPattern = (value: string): RegExp | undefined => {
  const signs = value.match(/[\p{L}\p{N}]/gu) ?? [];
  if (signs.length < shortestNumber || !/\p{N}/u.test(value)) return undefined;
  return new RegExp(String.raw`(?<!\p{N})${signs.join(String.raw`[\s._/-]?`)}(?!\p{N})`, 'giu');
};

const valuePatterns = (value: string): RegExp[] =>
  [wordPattern(value), numberPattern(value)].filter((pattern) => pattern !== undefined);

/** Matches the digits of a telephone number, grouped in any way. */
const phonePattern = (digits: string): RegExp =>
  new RegExp(String.raw`(?<!\d)\+?${Array.from(digits).join(String.raw`[\s()./-]*`)}(?!\d)`, 'g');

const findersFor = ({ names, values, phones, birthDates }: KnownIdentifiers): Finder[] => {
  const known = values.map((value) => value.trim()).filter((value) => value.length > 1);
  const digits = phones.map((number) => number.replaceAll(/\D/g, '')).filter((number) => number.length > 4);
  return [
    ['EMAIL', emailsIn],
    ['UID', matchesOf(uid)],
    ...known.flatMap(valuePatterns).map((pattern): Finder => ['ID', matchesOf(pattern)]),
    ...digits.map((number): Finder => ['PHONE', matchesOf(phonePattern(number))]),
    ...birthDates.map((date): Finder => ['DATE', birthDatesIn(date)]),
    ['DATE', datesIn],
    ['PHONE', matchesOf(phone)],
    ['ID', matchesOf(labeledId)],
    ['ID', matchesOf(longNumber)],
    ['NAME', namesIn(names)],
  ];
};

const mark = /\[(NAME|DATE|ID|UID|PHONE|EMAIL) (\d+)\]/gi;
/** Length of the longest mark. */
const longestMark = 14;

/** Replaces identifiers by marks, and restores the identifiers. */
export type IdentifierMarks = {
  /** Replaces each identifier by a mark such as "[DATE 1]". */
  replaceIdentifiers: (text: string) => string;
  /** Restores the reader's text in an answer. */
  restoreIdentifiers: (text: string) => string;
  /** Restores the reader's text in an answer that arrives in pieces. A mark may be divided between two pieces. */
  restoreIdentifiersInStream: (chunks: AsyncIterable<string>) => AsyncGenerator<string>;
};

/**
 * Withholds known identifiers, and text that looks like a date, telephone number, e-mail address, UID or other
 * identifier. Also withholds the names of other patients that `mentioned` finds. In doubt, text is withheld. This does
 * no harm, because the text is restored in the answer.
 */
export const createIdentifierMarks = (known: KnownIdentifiers, mentioned: Finder[1] = () => []): IdentifierMarks => {
  const finders: Finder[] = [...findersFor(known), ['NAME', mentioned]];
  const marks = new Map<string, string>();
  const originals = new Map<string, string>();
  let count = 0;

  const markFor = (what: IdentifierKind, original: string): string => {
    const earlier = marks.get(original);
    if (earlier) return earlier;
    count += 1;
    const replacement = `[${what} ${count}]`;
    marks.set(original, replacement);
    originals.set(replacement, original);
    return replacement;
  };

  const replaceIdentifiers = (text: string): string => {
    // Also replaces text of the reader that looks like a mark. Otherwise the restoration of marks would replace it in
    // the answer.
    const own: Finder = ['ID', matchesOf(mark)];
    let replaced = '';
    let at = 0;
    for (const { from, to, what } of stretchesIn(text, [own, ...finders])) {
      replaced += text.slice(at, from) + markFor(what, text.slice(from, to));
      at = to;
    }
    return replaced + text.slice(at);
  };

  const restoreIdentifiers = (text: string): string =>
    text.replaceAll(mark, (match: string) => originals.get(match.toUpperCase()) ?? match);

  async function* restoreIdentifiersInStream(chunks: AsyncIterable<string>): AsyncGenerator<string> {
    let waiting = '';
    for await (const chunk of chunks) {
      const text = waiting + chunk;
      const opened = text.lastIndexOf('[');
      const isOpen = opened >= 0 && !text.includes(']', opened) && text.length - opened < longestMark;
      waiting = isOpen ? text.slice(opened) : '';
      const complete = isOpen ? text.slice(0, opened) : text;
      if (complete !== '') yield restoreIdentifiers(complete);
    }
    if (waiting !== '') yield waiting;
  }

  return { replaceIdentifiers, restoreIdentifiers, restoreIdentifiersInStream };
};

/** Returns all matches in text order. Overlapping matches become one range. */
const stretchesIn = (text: string, finders: readonly Finder[]): (Stretch & { what: IdentifierKind })[] => {
  const matches = finders
    .flatMap(([what, find]) => find(text).map((stretch) => ({ ...stretch, what })))
    .toSorted((one, other) => one.from - other.from || other.to - one.to);
  const apart: (Stretch & { what: IdentifierKind })[] = [];
  for (const match of matches) {
    const last = apart.at(-1);
    if (last && match.from < last.to) last.to = Math.max(last.to, match.to);
    else apart.push(match);
  }
  return apart;
};
