import { expect, test } from 'vitest';
import { mentionsIn } from './chat.ts';

const usernames = ['m.haddad', 'm.haddad-2', 'mona', 'zoë@north.example', 'İ.su'];

const mentioned = (text: string) => mentionsIn(text, usernames).map(({ username }) => username);

test.each([
  ['@mona please', ['mona']],
  ['Please, @MONA!', ['mona']],
  ['(@mona), @m.haddad.', ['mona', 'm.haddad']],
  ['@m.haddad-2 and @m.haddad', ['m.haddad-2', 'm.haddad']],
  ['@zoë@north.example', ['zoë@north.example']],
  ['@mona @mona', ['mona', 'mona']],
])('the chat text "%s" mentions the users %s', (text, expected) => {
  expect(mentioned(text)).toEqual(expected);
});

test.each(['mona', 'dr.x@mona', '@monaco', '@mona.haddad', '@mona@elsewhere', '@@mona', '@ mona', '@nobody', '@'])(
  'the chat text "%s" mentions no user',
  (text) => {
    expect(mentioned(text)).toEqual([]);
  },
);

test('a mention is found among thousands of "@" signs and a thousand users', () => {
  const colleagues = Array.from({ length: 1000 }, (_, number) => `colleague${number}`);

  expect(mentionsIn(`${'@ '.repeat(1990)}@colleague7`, colleagues)).toHaveLength(1);
});

test('a mention contains the positions of its start and end in the text', () => {
  const text = 'Ask @Mona, @İ.su first';

  const places = mentionsIn(text, usernames).map(({ start, end }) => text.slice(start, end));

  expect(places).toEqual(['@Mona', '@İ.su']);
});
