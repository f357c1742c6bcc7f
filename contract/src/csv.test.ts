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
])('a spreadsheet does not run %j', (text) => {
  expect(csvOf([[text]])).toBe(`"'${text}"\r\n`);
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x; @SUM(A1)', "x;' @SUM(A1)"],
  ['x\t=1+1', "x\t'=1+1"],
  ['x\n-1;+1', "x\n'-1;'+1"],
  ['x;\n＝1+1', "x;\n'＝1+1"],
  ['x;"=1+1"', `x;'""=1+1""`],
])('a spreadsheet that divides %j into cells runs none of them', (text, safe) => {
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
])('%j stays as it is', (text) => {
  expect(csvOf([[text]])).toBe(`"${text}"\r\n`);
});

test('quotes, commas and lines stay within their cell, and a formula does not begin behind them', () => {
  expect(csvOf([['a "b", c\nd', '"=1+1', ',=1+1', 5]])).toBe('"a ""b"", c\nd","""=1+1",",=1+1","5"\r\n');
});

test('a number below zero is a number and no formula', () => {
  expect(csvOf([[-5]])).toBe('"-5"\r\n');
});
