import { fireEvent, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdCharacters, useShortcuts } from './shortcuts.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const pause = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

const listen = () => {
  const heard: string[] = [];
  const shortcut = (keys: string) => ({ keys, does: keys, run: () => heard.push(keys) });
  renderHook(() => {
    useShortcuts('Test', [shortcut('v'), shortcut('Escape')]);
  });
  return heard;
};

const press = (key: string) => fireEvent.keyDown(document.body, { key });

test('what is being typed while a field opens or goes away is no shortcut, and one after a pause is', () => {
  const heard = listen();
  holdCharacters();

  for (const key of 'The vessels') {
    press(key);
    pause(1000);
  }
  const whileTyping = [...heard];
  pause(1500);
  press('v');

  expect(whileTyping).toEqual([]);
  expect(heard).toEqual(['v']);
});

test('a key that writes nothing acts meanwhile', () => {
  const heard = listen();
  holdCharacters();

  press('Escape');

  expect(heard).toEqual(['Escape']);
});
