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
])('prefixes %j so that a spreadsheet does not run it', (text) => {
  expect(csvOf([[text]])).toBe(`"'${text}"\r\n`);
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x; @SUM(A1)', "x;' @SUM(A1)"],
  ['x\t=1+1', "x\t'=1+1"],
  ['x\n-1;+1', "x\n'-1;'+1"],
  ['x;\n＝1+1', "x;\n'＝1+1"],
  ['x;"=1+1"', `x;'""=1+1""`],
])('prefixes each formula in %j that a spreadsheet could split into cells', (text, safe) => {
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
])('leaves %j unchanged', (text) => {
  expect(csvOf([[text]])).toBe(`"${text}"\r\n`);
});

test('quotes, commas and line breaks stay in their cell, and no formula starts after them', () => {
  expect(csvOf([['a "b", c\nd', '"=1+1', ',=1+1', 5]])).toBe('"a ""b"", c\nd","""=1+1",",=1+1","5"\r\n');
});

test('a negative number is not a formula', () => {
  expect(csvOf([[-5]])).toBe('"-5"\r\n');
});
