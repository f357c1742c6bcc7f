import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  ' =1+1',
  '\u00A0=1+1',
  '\u200B=1+1',
  '\uFEFF=1+1',
  '\0=1+1',
])('a CSV cell gets a prefix so that no spreadsheet runs it: %j', (text) => {
  expect(csvOf([[text]])).toBe(`"'${text}"\r\n`);
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x; @SUM(A1)', "x;' @SUM(A1)"],
  ['x\t=1+1', "x\t'=1+1"],
  ['x\n-1;+1', "x\n'-1;'+1"],
  ['x;\n＝1+1', "x;\n'＝1+1"],
  ['x;"=1+1"', `x;'""=1+1""`],
])('each formula in %j gets a prefix, even if a spreadsheet splits the text into cells', (text, safe) => {
  expect(csvOf([[text]])).toBe(`"${safe}"\r\n`);
});

test.each([
  'x; y',
  'x;',
  'CT\nChest',
  '1-1',
  'a=b',
  'mona@north.example',
  ' Chest',
  'Ægir Ødegård',
  '山田^太郎',
  '',
  '2026-11-20T09:00:00Z',
])('the CSV text %j stays unchanged', (text) => {
  expect(csvOf([[text]])).toBe(`"${text}"\r\n`);
});

test('quotes, commas and line breaks stay in their CSV cell, and no formula begins after them', () => {
  expect(csvOf([['a "b", c\nd', '"=1+1', ',=1+1', 5]])).toBe('"a ""b"", c\nd","""=1+1",",=1+1","5"\r\n');
});

test('a negative number in a CSV cell is not a formula', () => {
  expect(csvOf([[-5]])).toBe('"-5"\r\n');
});
