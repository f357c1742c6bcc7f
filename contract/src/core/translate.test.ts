import { afterEach, expect, test } from 'vitest';
import {
  inRow,
  installTranslation,
  labelSentence,
  literal,
  plural,
  pluralSentence,
  type Sentence,
  sentence,
  t,
  translated,
  translatedSentence,
} from './translate.ts';

afterEach(() => installTranslation(() => undefined));

test('a sentence without a translation appears in English', () => {
  expect(t`The study is locked by ${'Dr Weiss'} for ${1234} seconds.`).toBe(
    'The study is locked by Dr Weiss for 1234 seconds.',
  );
  expect(t`Access denied`).toBe('Access denied');
});

test('the count chooses between the singular and the plural sentence', () => {
  expect(plural(1, { one: '# file differs', other: '# files differ' })).toBe('1 file differs');
  expect(plural(1200, { one: '# file differs', other: '# files differ' })).toBe('1,200 files differ');
});

test('a translation receives the English sentence, and its values by position', () => {
  installTranslation((message, values) => `${message} ${JSON.stringify(values)}`);

  expect(t`Locked by ${'Ann'} since ${'9:00'}`).toBe('Locked by {0} since {1} {"0":"Ann","1":"9:00"}');
  expect(plural(2, { one: '# file', other: '# files' })).toBe('{0, plural, one {# file} other {# files}} {"0":2}');
});

test('a value with braces in a sentence stays as it is', () => {
  expect(t`No field ${'{1}'} in ${'x'}`).toBe('No field {1} in x');
});

test('labels are translated when they are read, and other texts are not taken for labels', () => {
  const labels = translated({ M: 'Male', F: 'Female' });
  expect(Object.entries(labels)).toEqual([
    ['M', 'Male'],
    ['F', 'Female'],
  ]);

  installTranslation(
    () => 'message',
    (label) => (label === 'Male' ? 'männlich' : undefined),
  );
  expect({ ...labels }).toEqual({ M: 'männlich', F: 'Female' });

  installTranslation(() => 'message');
  expect(labels.M).toBe('Male');
});

test('a stored sentence is read in the language of its reader, with its values and labels', () => {
  const name = 'Dr Weiss {1}';
  const stored = [
    sentence`${name} gave it the status ${labelSentence('Pending')}`,
    pluralSentence(1200, { one: '# study', other: '# studies' }),
    literal('CT · Chest'),
    inRow(sentence`Sent`, literal('12')),
  ].map((one): Sentence => JSON.parse(JSON.stringify(one)));

  const english = ['Dr Weiss {1} gave it the status Pending', '1,200 studies', 'CT · Chest', 'Sent 12'];
  expect(stored.map((one) => one.english)).toEqual(english);
  expect(stored.map(translatedSentence)).toEqual(english);

  installTranslation((message, values) =>
    message === 'Pending' ? 'Offen' : `${message} ${JSON.stringify(Object.values(values))}`,
  );
  expect(stored.map(translatedSentence)).toEqual([
    '{0} gave it the status {1} ["Dr Weiss {1}","Offen"]',
    '{0, plural, one {# study} other {# studies}} [1200]',
    'CT · Chest',
    'Sent [] 12',
  ]);
});
