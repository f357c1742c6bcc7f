import { afterEach, expect, test } from 'vitest';
import { installTranslation, text, texts } from './text.ts';

afterEach(() => installTranslation(() => undefined));

test('a sentence without translation is English', () => {
  expect(text`The study is locked by ${'Dr Weiss'} for ${1234} seconds.`).toBe(
    'The study is locked by Dr Weiss for 1234 seconds.',
  );
  expect(text`Access denied`).toBe('Access denied');
});

test('a count chooses the sentence', () => {
  expect(texts(1, { one: '# file differs', other: '# files differ' })).toBe('1 file differs');
  expect(texts(1200, { one: '# file differs', other: '# files differ' })).toBe('1,200 files differ');
});

test('a translation receives the English sentence and its values by position', () => {
  installTranslation((message, values) => `${message} ${JSON.stringify(values)}`);

  expect(text`Locked by ${'Ann'} since ${'9:00'}`).toBe('Locked by {0} since {1} {"0":"Ann","1":"9:00"}');
  expect(texts(2, { one: '# file', other: '# files' })).toBe('{0, plural, one {# file} other {# files}} {"0":2}');
});

test('a value with braces stays as it is', () => {
  expect(text`No field ${'{1}'} in ${'x'}`).toBe('No field {1} in x');
});
