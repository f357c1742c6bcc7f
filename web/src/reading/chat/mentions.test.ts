import { expect, test } from 'vitest';
import { completed, mentionBefore, peopleMeant } from './mentions.ts';

const people = [
  { username: 'a.berg', name: 'Dr Aksel Berg' },
  { username: 'mona', name: 'Mona Haddad' },
  { username: 'h.weiss', name: 'Dr Hannah Weiss' },
  { username: 'zoë', name: 'Zoë Moreau' },
].map((person) => ({ ...person, joinsByMention: false }));
const usernamesFor = (prefix: string) => peopleMeant(people, prefix).map(({ username }) => username);

test.each([
  ['@', { start: 0, typed: '' }],
  ['Ask @mo', { start: 4, typed: 'mo' }],
  ['(@h.we', { start: 1, typed: 'h.we' }],
  ['@zo\u00eb', { start: 0, typed: 'zoë' }],
])('"%s" begins a mention', (text, expected) => {
  expect(mentionBefore(text, text.length)).toEqual(expected);
});

test.each(['', 'Ask', 'x@mo', '@mo ', '@@mo', '@mo\n'])('"%s" does not start a mention', (text) => {
  expect(mentionBefore(text, text.length)).toBeUndefined();
});

test('a mention after the cursor is ignored', () => {
  expect(mentionBefore('@mona and more', 3)).toEqual({ start: 0, typed: 'mo' });
});

test('a mention finds users by user name first, then by any word of their name', () => {
  expect(usernamesFor('h')).toEqual(['h.weiss', 'mona']);
  expect(usernamesFor('BERG')).toEqual(['a.berg']);
  expect(usernamesFor('zoë')).toEqual(['zoë']);
  expect(usernamesFor('nobody')).toEqual([]);
});

test('completing a mention replaces the typed part of the name and keeps the rest of the text', () => {
  const text = 'Ask @mo please';

  const done = completed(
    text,
    { start: 4, typed: 'mo' },
    { username: 'mona', name: 'Mona Haddad', joinsByMention: false },
  );

  expect(done).toEqual({ text: 'Ask @mona please', caret: 10 });
});
