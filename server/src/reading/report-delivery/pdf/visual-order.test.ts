import { expect, test } from 'vitest';
import { type Inline, type Line, putInVisualOrder, runsRightToLeft, setApart } from './visual-order.ts';

/** Each character of this font is one point wide. */
const font = { widthOfString: (text: string) => text.length };

/** Lays out a line of these words in reading order. */
const lineOf = (words: readonly string[], isRightToLeft = false): Line => {
  let x = 0;
  const inlines = words.map((text): Inline => {
    const inline = { text, x, width: text.length, font, fontSize: 1, isRightToLeft };
    x += text.length;
    return inline;
  });
  return { inlines };
};

/** Returns the pieces of a line from left to right, each with its position. */
const drawnTexts = (line: Line): [number, string][] => {
  putInVisualOrder(line);
  return line.inlines.map(({ x, text }) => [x, text]);
};

test('a line without Hebrew or Arabic is not changed', () => {
  expect(drawnTexts(lineOf(['Lungs ', 'are ', '(clear).']))).toEqual([
    [0, 'Lungs '],
    [6, 'are '],
    [10, '(clear).'],
  ]);
});

test('a Hebrew line runs from right to left, and its trailing space has no width', () => {
  expect(drawnTexts(lineOf(['שלום ', 'עולם '], true))).toEqual([
    [-1, 'עולם '],
    [4, 'שלום '],
  ]);
});

test('Latin words and numbers in an Arabic line keep their own order', () => {
  const words = drawnTexts(lineOf(['حجم ', 'CT ', 'chest ', 'طبيعي'], true)).map(([, text]) => text);

  expect(words.join('|')).toBe('طبيعي| |CT |chest|حجم ');
});

test('in an English line, consecutive Hebrew words run from right to left', () => {
  const words = drawnTexts(lineOf(['Seen ', 'שלום ', 'עולם ', 'today'])).map(([, text]) => text);

  expect(words.join('|')).toBe('Seen |עולם|שלום | |today');
});

test('a bracket in a Hebrew line opens toward its content', () => {
  const words = drawnTexts(lineOf(['(שלום)'], true)).map(([, text]) => text);

  // The font reverses a Hebrew word together with its brackets, so the brackets must be swapped.
  expect(words).toEqual([')שלום(']);
});

test('reorders a line only once, even if it is drawn several times', () => {
  const line = lineOf(['שלום ', 'עולם'], true);

  const first = drawnTexts(line);

  expect(drawnTexts(line)).toEqual(first);
});

test.each([
  ['שלום CT', true],
  ['12 مم', true],
  ['CT שלום', false],
  ['12 mm', false],
  ['', false],
])('the first letter of %j decides the direction of a paragraph', (text, expected) => {
  expect(runsRightToLeft(text)).toBe(expected);
});

test('prints a number after an Arabic name in the right order', () => {
  const name = 'محمد';
  const together = drawnTexts(lineOf([`${name} `, '· ', '4711'])).map(([, text]) => text.trim());
  const apart = drawnTexts(lineOf([`${setApart(name)} `, '· ', '4711'])).map(([, text]) => text.trim());

  expect(together.filter(Boolean)[0]).toBe('4711');
  expect(apart.filter(Boolean).at(-1)).toBe('4711');
});
