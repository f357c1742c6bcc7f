import { expect, test } from 'vitest';
import { type Inline, type Line, putInVisualOrder, runsRightToLeft, setApart } from './visual-order.ts';

/** Each character of this font is one point wide. */
const font = { widthOfString: (text: string) => text.length };

/** A line of these words, laid out in the order in which they are read. */
const lineOf = (words: readonly string[], isRightToLeft = false): Line => {
  let x = 0;
  const inlines = words.map((text): Inline => {
    const inline = { text, x, width: text.length, font, fontSize: 1, isRightToLeft };
    x += text.length;
    return inline;
  });
  return { inlines };
};

/** The pieces of a line from left to right, each with where it begins. */
const drawn = (line: Line): [number, string][] => {
  putInVisualOrder(line);
  return line.inlines.map(({ x, text }) => [x, text]);
};

test('a line without Hebrew or Arabic stays as it is', () => {
  expect(drawn(lineOf(['Lungs ', 'are ', '(clear).']))).toEqual([
    [0, 'Lungs '],
    [6, 'are '],
    [10, '(clear).'],
  ]);
});

test('a Hebrew line is drawn from right to left, and the blank at its end takes no room', () => {
  expect(drawn(lineOf(['שלום ', 'עולם '], true))).toEqual([
    [-1, 'עולם '],
    [4, 'שלום '],
  ]);
});

test('Latin words and numbers in an Arabic line keep their own order', () => {
  const words = drawn(lineOf(['حجم ', 'CT ', 'chest ', 'طبيعي'], true)).map(([, text]) => text);

  expect(words.join('|')).toBe('طبيعي| |CT |chest|حجم ');
});

test('Hebrew words in an English line turn around among themselves', () => {
  const words = drawn(lineOf(['Seen ', 'שלום ', 'עולם ', 'today'])).map(([, text]) => text);

  expect(words.join('|')).toBe('Seen |עולם|שלום | |today');
});

test('a bracket within a Hebrew line opens towards the words that it holds', () => {
  const words = drawn(lineOf(['(שלום)'], true)).map(([, text]) => text);

  // The font turns the letters and brackets of a Hebrew word; their shapes are ours to change.
  expect(words).toEqual([')שלום(']);
});

test('a line is put in order once, however often it is drawn', () => {
  const line = lineOf(['שלום ', 'עולם'], true);

  const first = drawn(line);

  expect(drawn(line)).toEqual(first);
});

test.each([
  ['שלום CT', true],
  ['12 مم', true],
  ['CT שלום', false],
  ['12 mm', false],
  ['', false],
])('the first letter of %j decides in which direction a paragraph runs', (text, expected) => {
  expect(runsRightToLeft(text)).toBe(expected);
});

test('a number that follows an Arabic name still follows it on paper', () => {
  const name = 'محمد';
  const together = drawn(lineOf([`${name} `, '· ', '4711'])).map(([, text]) => text.trim());
  const apart = drawn(lineOf([`${setApart(name)} `, '· ', '4711'])).map(([, text]) => text.trim());

  expect(together.filter(Boolean)[0]).toBe('4711');
  expect(apart.filter(Boolean).at(-1)).toBe('4711');
});
