import { birthDatesIn } from './birth-date-in-text.ts';
import { datesIn } from './dates-in-text.ts';
import { namesIn } from './names-in-text.ts';

/** What is known of the people whom a text is about, as it is stored. Empty texts say nothing. */
export type KnownIdentifiers = {
  /** Names of people, as DICOM or people write them. */
  names: readonly string[];
  /** Patient IDs, accession and order numbers, addresses, UIDs. */
  values: readonly string[];
  phones: readonly string[];
  /** As YYYY-MM-DD. */
  birthDates: readonly string[];
};

type What = 'NAME' | 'DATE' | 'ID' | 'UID' | 'PHONE' | 'EMAIL';

/** A stretch of a text that does not leave, in UTF-16 units. */
export type Stretch = { from: number; to: number };

type Finder = [what: What, find: (text: string) => Stretch[]];

const matchesOf =
  (pattern: RegExp) =>
  (text: string): Stretch[] =>
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ from: index, to: index + match.length }));

/** From the "@" back: from each letter on to the "@", a long text without one would be read once for each letter. */
const email = /(?=@)(?<=([\p{L}\p{N}._%+-]+))@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const emailsIn = (text: string): Stretch[] =>
  Array.from(text.matchAll(email), ({ index, 0: domain, 1: name = '' }) => ({
    from: index - name.length,
    to: index + domain.length,
  }));
/** Five components or more: a version or a measurement has fewer. */
const uid = /(?<![\d.])\d+(?:\.\d+){4,}(?!\.*\d)/g;
const phone =
  /(?<![\w.])(?:\+\d{1,3}[\s()./-]*\d(?:[\s()./-]*\d){5,12}|\(?0\d{1,4}\)?[\s/-]+\d(?:[\s/-]*\d){4,10}|\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}|\d{3}-\d{4})(?![\w]|[.,]\d)/g;
/** A number of a person follows such a label. Its length and the blanks are bounded: each sign looks back and ahead. */
const labelledId =
  /(?=[A-Z\d])(?<=\b(?:MRN|SSN|NHS|patient[ -]?(?:id|no|number|nr)|accession(?:[ -]?(?:no|number|nr))?|case[ -]?(?:no|number|nr)|order[ -]?(?:no|number|nr))\.?[ :#]{0,80})(?=[A-Z\d/-]{0,80}\d)[A-Z\d][A-Z\d/-]{2,}/gi;
/** Nothing is measured with so many digits. */
const longNumber = /(?<![\d.])\d{7,}(?![\d]|\.\d)/g;

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** A value as a word of its own, in whatever case. */
const wordPattern = (value: string): RegExp => {
  const words = value.split(/\s+/).map(escaped);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`, 'giu');
};

/** Shorter ones would be found within what was measured. */
const shortestNumber = 5;

/** The letters and digits of a number of somebody, however they are grouped, and with whatever letters before them. */
const numberPattern = (value: string): RegExp | undefined => {
  const signs = value.match(/[\p{L}\p{N}]/gu) ?? [];
  if (signs.length < shortestNumber || !/\p{N}/u.test(value)) return undefined;
  return new RegExp(String.raw`(?<!\p{N})${signs.join(String.raw`[\s._/-]?`)}(?!\p{N})`, 'giu');
};

const valuePatterns = (value: string): RegExp[] =>
  [wordPattern(value), numberPattern(value)].filter((pattern) => pattern !== undefined);

/** The digits of a telephone number, however they are grouped. */
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
    ['ID', matchesOf(labelledId)],
    ['ID', matchesOf(longNumber)],
    ['NAME', namesIn(names)],
  ];
};

const mark = /\[(NAME|DATE|ID|UID|PHONE|EMAIL) (\d+)\]/gi;
/** The longest that a mark can be. */
const longestMark = 14;

/** Identifiers that are kept back from a text while it is elsewhere. */
export type Withheld = {
  /** A text with a mark such as "[DATE 1]" in the place of everything that says whose it is. */
  take: (text: string) => string;
  /** An answer with the words of the reader in the place of their marks. */
  giveBack: (text: string) => string;
  /** The same for an answer that comes in pieces, in which a mark may be divided. */
  giveBackPieces: (pieces: AsyncIterable<string>) => AsyncGenerator<string>;
};

/**
 * Keeps back what identifies people: what is known of them, and what looks like a date, a telephone number, an e-mail
 * address, a UID or a number of a person; and what `mentioned` finds of other people. Errs on the side of keeping too much back, since it comes back with the answer.
 */
export const withhold = (known: KnownIdentifiers, mentioned: Finder[1] = () => []): Withheld => {
  const finders: Finder[] = [...findersFor(known), ['NAME', mentioned]];
  const marks = new Map<string, string>();
  const originals = new Map<string, string>();
  let count = 0;

  const markFor = (what: What, original: string): string => {
    const earlier = marks.get(original);
    if (earlier) return earlier;
    count += 1;
    const made = `[${what} ${count}]`;
    marks.set(original, made);
    originals.set(made, original);
    return made;
  };

  const take = (text: string): string => {
    // What looks like a mark of ours in the text itself must come back as it was.
    const own: Finder = ['ID', matchesOf(mark)];
    let taken = '';
    let at = 0;
    for (const { from, to, what } of stretchesIn(text, [own, ...finders])) {
      taken += text.slice(at, from) + markFor(what, text.slice(from, to));
      at = to;
    }
    return taken + text.slice(at);
  };

  const giveBack = (text: string): string =>
    text.replaceAll(mark, (found: string) => originals.get(found.toUpperCase()) ?? found);

  async function* giveBackPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    let waiting = '';
    for await (const piece of pieces) {
      const text = waiting + piece;
      const opened = text.lastIndexOf('[');
      const isOpen = opened >= 0 && !text.includes(']', opened) && text.length - opened < longestMark;
      waiting = isOpen ? text.slice(opened) : '';
      const whole = isOpen ? text.slice(0, opened) : text;
      if (whole !== '') yield giveBack(whole);
    }
    if (waiting !== '') yield waiting;
  }

  return { take, giveBack, giveBackPieces };
};

/** All that is found, in the order of the text; of what overlaps, one stretch that covers it. */
const stretchesIn = (text: string, finders: readonly Finder[]): (Stretch & { what: What })[] => {
  const found = finders
    .flatMap(([what, find]) => find(text).map((stretch) => ({ ...stretch, what })))
    .toSorted((one, other) => one.from - other.from || other.to - one.to);
  const apart: (Stretch & { what: What })[] = [];
  for (const one of found) {
    const last = apart.at(-1);
    if (last && one.from < last.to) last.to = Math.max(last.to, one.to);
    else apart.push(one);
  }
  return apart;
};
