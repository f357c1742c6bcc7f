import { expect, test } from 'vitest';
import { wrapped } from './wrapped.ts';

const tenPerLetter = (text: string) => 10 * text.length;
const broken = (text: string, width: number) => wrapped(text, width, tenPerLetter).map((line) => line.trimEnd());

test('words are broken where their box ends, and lines of the text stay', () => {
  expect(broken('Seen in LUNG', 70)).toEqual(['Seen in', 'LUNG']);
  expect(broken('Cyst\n\n  2 cm', 200)).toEqual(['Cyst', '', '  2 cm']);
});

test('a word that is wider than its box is broken, and nothing of it is lost', () => {
  expect(broken('a granuloma', 50)).toEqual(['a', 'granu', 'loma']);
  expect(broken('abc', 1)).toEqual(['a', 'b', 'c']);
  expect(wrapped('one  two three', 40, tenPerLetter).join('')).toBe('one  two three');
});
