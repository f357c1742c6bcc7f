import { foldedWord } from './folded-word.ts';
import { isMonth } from './month-names.ts';
import type { Stretch } from './stretch.ts';

type Token = Stretch & { word: string };

/**
 * Words that may stand between the parts of a date, for example "of" or "year". `longestDate` limits the length of the
 * date in characters.
 */
const fillers = new Set(
  'st nd rd th er re o a of the de del do da den le dem año ano year month day an jahr года год г року р 年 月 日 号 號 년 월 일 生'
    .split(' ')
    .map(foldedWord),
);
const longestDate = 40;

/** Code points of zero in common scripts. The other nine digits follow each zero. */
const zeros = [0x30, 0x660, 0x6f0, 0x966, 0xe50, 0xff10];

/** Converts digits of other scripts to ASCII digits, in which dates are stored. */
const inAscii = (word: string): string =>
  Array.from(word, (numeral) => {
    const code = numeral.codePointAt(0) ?? 0;
    const zero = zeros.find((first) => code >= first && code < first + 10);
    return zero === undefined ? numeral : String(code - zero);
  }).join('');

const tokensIn = (text: string): Token[] =>
  Array.from(text.matchAll(/\p{Nd}+|[\p{L}\p{M}]+/gu), ({ index, 0: word }) => ({
    word: inAscii(word),
    from: index,
    to: index + word.length,
  }));

/** Accepted orders of day, month and year. */
const orders = [
  ['year', 'month', 'day'],
  ['day', 'month', 'year'],
  ['month', 'day', 'year'],
  ['year', 'day', 'month'],
] as const;

/**
 * Finds a known date (YYYY-MM-DD) in a text. Day, month and year may be in each of four orders, with or without
 * separators. They may be in digits of common scripts, or with the name of the month. An invalid date matches nothing.
 */
export const birthDatesIn = (date: string): ((text: string) => Stretch[]) => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (!year || !month || !day) return () => [];
  const years = [year, year.slice(2)];
  const is = {
    year: (word: string) => years.includes(word),
    month: (word: string) => isNumber(word, month) || isMonth(word, Number(month)),
    day: (word: string) => isNumber(word, day),
  };
  const together = new Set(years.flatMap((one) => [one + month + day, day + month + one, month + day + one]));
  return (text) => {
    const tokens = tokensIn(text);
    const contentTokens = tokens.filter(({ word }) => !fillers.has(foldedWord(word)));
    const apart = contentTokens.flatMap((first, at): Stretch[] => {
      const last = contentTokens[at + 2];
      const isDate = orders.some((order) =>
        order.every((part, place) => is[part](contentTokens[at + place]?.word ?? '')),
      );
      return last && isDate && last.to - first.from <= longestDate ? [{ from: first.from, to: last.to }] : [];
    });
    return [...tokens.filter(({ word }) => together.has(word)).map(({ from, to }) => ({ from, to })), ...apart];
  };
};

const isNumber = (word: string, number: string): boolean => word.length < 3 && Number(word) === Number(number);
