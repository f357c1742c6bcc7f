import { onFirstUse } from '@radwork/contract/core/on-first-use';
import { foldedWord } from './folded-word.ts';

/** Languages in which reports are dictated, and other languages whose month names may occur. */
const dictated = 'en de fr es pt it nl ru hi'.split(' ');
const others = 'pl cs da fi hu nb ro sv tr uk'.split(' ');

type Style = 'long' | 'short';

/**
 * Returns the month names of a language, alone and within a date. In many languages, the two forms have different
 * endings.
 */
const monthsIn = (language: string, style: Style): [name: string, month: number][] =>
  Array.from({ length: 12 }, (_, index) => index).flatMap((index) => {
    const options = { month: style, timeZone: 'UTC' } as const;
    const day = new Date(Date.UTC(2000, index, 15));
    const inDate = new Intl.DateTimeFormat(language, { ...options, day: 'numeric' }).formatToParts(day);
    const names = [
      new Intl.DateTimeFormat(language, options).format(day),
      ...inDate.filter(({ type }) => type === 'month').map(({ value }) => value),
    ];
    return names
      .map((name) => name.toLowerCase().replaceAll(/[.॰]/g, ''))
      .filter((name) => /^(?:\p{L}{3,}|(?=.*\p{Script=Devanagari})[\p{L}\p{M}]+)$/u.test(name))
      .map((name): [string, number] => [name, index + 1]);
  });

/** Other common spellings of month names. */
const besides: [name: string, month: number][] = [
  ['mrz', 3],
  ['märz', 3],
  ['jänner', 1],
  ['fev', 2],
  ['sept', 9],
];

const inAllLanguages = onFirstUse(() => ({
  everywhere: [...dictated, ...others].flatMap((language) => monthsIn(language, 'long')),
  shortHere: dictated.flatMap((language) => monthsIn(language, 'short')),
  shortThere: others.flatMap((language) => monthsIn(language, 'short')),
}));

/** Returns month names that are unambiguous beside a number. Leaves out ambiguous short forms such as the Polish "lip". */
export const monthNames = (): readonly string[] => {
  const { everywhere, shortHere } = inAllLanguages();
  return [...new Set([...everywhere, ...shortHere, ...besides].map(([name]) => name.normalize('NFC')))];
};

const monthsByName = onFirstUse(() => {
  const { everywhere, shortHere, shortThere } = inAllLanguages();
  const byName = new Map<string, Set<number>>();
  for (const [name, month] of [...everywhere, ...shortHere, ...shortThere, ...besides]) {
    const folded = foldedWord(name);
    byName.set(folded, (byName.get(folded) ?? new Set()).add(month));
  }
  return byName;
});

/** Whether a word names this month (1 to 12) in any of the languages, with or without accents. */
export const isMonth = (word: string, month: number): boolean =>
  monthsByName().get(foldedWord(word))?.has(month) ?? false;
