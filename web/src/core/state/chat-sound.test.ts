import { expect, test } from 'vitest';
import { saveChatSound, readChatSound } from './chat-sound.ts';

const key = 'chat-sound';

test('the chat sound is on at half volume by default', () => {
  expect(readChatSound()).toEqual({ enabled: true, volume: 0.5 });
});

test.each([
  [0.25, 0.25],
  [-3, 0],
  [7, 1],
])('the chat volume %d is stored as %d', (volume, expected) => {
  saveChatSound({ enabled: false, volume: volume });

  expect(JSON.parse(localStorage.getItem(key) ?? '')).toEqual({ enabled: false, volume: expected });
  expect(readChatSound()).toEqual({ enabled: false, volume: expected });
});

test.each(['', 'loud', '{"enabled":"yes","volume":1}', '{"enabled":true}', 'null'])(
  'an invalid stored chat sound (%s) counts as no setting',
  (text) => {
    localStorage.setItem(key, text);

    expect(readChatSound()).toEqual({ enabled: true, volume: 0.5 });
  },
);

test('a stored chat volume outside the range is read as the nearest limit', () => {
  localStorage.setItem(key, '{"enabled":true,"volume":20}');

  expect(readChatSound().volume).toBe(1);
});
