import { expect, test } from 'vitest';
import { keepChatSound, readChatSound } from './chat-sound.ts';

const key = 'chat-sound';

test('sound is on and half as loud as it can be until somebody chooses', () => {
  expect(readChatSound()).toEqual({ enabled: true, volume: 0.5 });
});

test.each([
  [0.25, 0.25],
  [-3, 0],
  [7, 1],
])('a volume of %d is kept as %d', (given, expected) => {
  keepChatSound({ enabled: false, volume: given });

  expect(JSON.parse(localStorage.getItem(key) ?? '')).toEqual({ enabled: false, volume: expected });
  expect(readChatSound()).toEqual({ enabled: false, volume: expected });
});

test.each(['', 'loud', '{"enabled":"yes","volume":1}', '{"enabled":true}', 'null'])(
  'what somebody else wrote under the name (%s) counts as nothing chosen',
  (text) => {
    localStorage.setItem(key, text);

    expect(readChatSound()).toEqual({ enabled: true, volume: 0.5 });
  },
);

test('a volume that was stored out of range is read within it', () => {
  localStorage.setItem(key, '{"enabled":true,"volume":20}');

  expect(readChatSound().volume).toBe(1);
});
