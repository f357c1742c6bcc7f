import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('a spreadsheet does not run %j', (text) => {
  expect(csvOf([[text]])).toBe(`"'${text}"\r\n`);
});

test('quotes, commas and lines stay within their cell', () => {
  expect(csvOf([['a "b", c\nd', 5]])).toBe('"a ""b"", c\nd","5"\r\n');
});

test('a number below zero is a number and no formula', () => {
  expect(csvOf([[-5]])).toBe('"-5"\r\n');
});
