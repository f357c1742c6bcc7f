import { expect, test } from 'vitest';
import { wrapText } from './wrap-text.ts';

const tenPerLetter = (text: string) => 10 * text.length;
const broken = (text: string, width: number) => wrapText(text, width, tenPerLetter).map((line) => line.trimEnd());

test('text of a state wraps at the width of its box, and its line breaks stay', () => {
  expect(broken('Seen in LUNG', 70)).toEqual(['Seen in', 'LUNG']);
  expect(broken('Cyst\n\n  2 cm', 200)).toEqual(['Cyst', '', '  2 cm']);
});

test('a word wider than its box is broken, and no character is lost', () => {
  expect(broken('a granuloma', 50)).toEqual(['a', 'granu', 'loma']);
  expect(broken('abc', 1)).toEqual(['a', 'b', 'c']);
  expect(wrapText('one  two three', 40, tenPerLetter).join('')).toBe('one  two three');
});
