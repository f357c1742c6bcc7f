import { fireEvent, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { pauseCharacterShortcuts, keyCaps, useShortcutGroups, useShortcuts } from './shortcuts.ts';

let minutes = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // Moves the clock, so that a pause by the previous test has ended.
  pause((minutes += 1) * 60_000);
});

afterEach(() => {
  vi.useRealTimers();
});

const pause = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

const listen = () => {
  const triggered: string[] = [];
  const shortcut = (keys: string) => ({ keys, does: keys, run: () => triggered.push(keys) });
  renderHook(() => {
    useShortcuts('Test', ['v', 'Escape', 'Enter', 'Delete', 'Backspace'].map(shortcut));
  });
  return triggered;
};

const press = (key: string) => fireEvent.keyDown(document.body, { key });

test('characters typed while a field opens or closes trigger no shortcuts until a pause', () => {
  const triggered = listen();
  pauseCharacterShortcuts();

  for (const key of 'The vessels') {
    press(key);
    pause(1000);
  }
  const whileTyping = [...triggered];
  pause(1500);
  press('v');

  expect(whileTyping).toEqual([]);
  expect(triggered).toEqual(['v']);
});

test('editing keys and Enter also trigger no shortcuts during typing, and trigger them after a pause', () => {
  const triggered = listen();
  pauseCharacterShortcuts();

  for (const key of ['T', 'Backspace', 'Delete', 'Enter']) press(key);
  const whileTyping = [...triggered];
  pause(1500);
  press('Delete');

  expect(whileTyping).toEqual([]);
  expect(triggered).toEqual(['Delete']);
});

test('Escape triggers its shortcut even while typed characters trigger none', () => {
  const triggered = listen();
  pauseCharacterShortcuts();

  press('Escape');

  expect(triggered).toEqual(['Escape']);
});

test.each(['input', 'textarea', 'select'])('a character on a focused %s triggers no shortcut', (field) => {
  const triggered = listen();
  const element = document.createElement(field);
  document.body.append(element);
  onTestFinished(() => element.remove());
  element.focus();

  fireEvent.keyDown(element, { key: 'v' });

  expect(document.activeElement).toBe(element);
  expect(triggered).toEqual([]);
});

test('a delete key that is held down acts once, and a movement key that is held down repeats', () => {
  const triggered: string[] = [];
  const shortcut = (keys: string) => ({ keys, does: keys, run: () => triggered.push(keys) });
  renderHook(() => {
    useShortcuts('Test', ['Delete', 'Backspace', 'ArrowDown'].map(shortcut));
  });

  for (const key of ['Delete', 'Backspace', 'ArrowDown']) {
    fireEvent.keyDown(document.body, { key });
    fireEvent.keyDown(document.body, { key, repeat: true });
  }

  expect(triggered).toEqual(['Delete', 'Backspace', 'ArrowDown', 'ArrowDown']);
});

test('the help lists each group of shortcuts once, and each key with its current effect', () => {
  const triggered: string[] = [];
  const shortcut = (keys: string, does: string) => ({ keys, does, run: () => triggered.push(does) });
  const { result } = renderHook(() => {
    useShortcuts('Everywhere', [shortcut('?', 'Show the keys'), shortcut('g s', 'Go to studies')], {
      everywhere: true,
    });
    useShortcuts('Everywhere', [shortcut('Control k', 'Search')], { everywhere: true });
    useShortcuts('Viewer', [shortcut('?', 'Keys of the viewer')]);
    return useShortcutGroups();
  });
  pause(60_000);
  press('?');

  expect(result.current.map(({ name, shortcuts }) => [name, ...shortcuts.map(({ does }) => does)])).toEqual([
    ['Viewer', 'Keys of the viewer'],
    ['Everywhere', 'Go to studies', 'Search'],
  ]);
  expect(triggered).toEqual(['Keys of the viewer']);
});

test('Alt with an arrow key is a shortcut of its own, and Alt with a character triggers no shortcut', () => {
  const triggered: string[] = [];
  const shortcut = (keys: string) => ({ keys, does: keys, run: () => triggered.push(keys) });
  renderHook(() => useShortcuts('Test', [shortcut('v'), shortcut('ArrowUp'), shortcut('Alt+ArrowUp')]));

  const isLeftAlone = fireEvent.keyDown(document.body, { key: 'v', altKey: true });
  const isTaken = !fireEvent.keyDown(document.body, { key: 'ArrowUp', altKey: true });
  press('ArrowUp');

  expect([isLeftAlone, isTaken]).toEqual([true, true]);
  expect(triggered).toEqual(['Alt+ArrowUp', 'ArrowUp']);
  expect(keyCaps('Alt+ArrowUp')).toEqual(['Alt', '↑']);
  expect(keyCaps(', t')).toEqual([',', 'T']);
});

test('Shift with a named key triggers its own shortcut, or if there is none, that of the key alone', () => {
  const triggered: string[] = [];
  const shortcut = (keys: string) => ({ keys, does: keys, run: () => triggered.push(keys) });
  renderHook(() => {
    useShortcuts('Test', ['ArrowDown', 'Shift+ArrowDown', 'ArrowUp'].map(shortcut));
  });

  for (const key of ['ArrowDown', 'ArrowUp']) fireEvent.keyDown(document.body, { key, shiftKey: true });

  expect(triggered).toEqual(['Shift+ArrowDown', 'ArrowUp']);
  expect(keyCaps('Shift+ArrowDown')).toEqual(['Shift', '↓']);
});
