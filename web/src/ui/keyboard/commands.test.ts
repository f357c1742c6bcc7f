import { fireEvent, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signIn } from '#test/screen.tsx';
import { defineCommands, keysOf, offeredCommands, runCommand, useChangedKeys, useCommands } from './commands.ts';

const commands = defineCommands('Test', {
  sign: { id: 'test.sign', does: 'Sign', keys: 'q f', isSerious: true },
  open: { id: 'test.open', does: 'Open', keys: 'v' },
});

const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.body, { key });
};

const register = (run: Partial<Record<'sign' | 'open', () => void>>) =>
  renderHook(
    (current: typeof run) =>
      useCommands([
        { command: commands.sign, run: current.sign },
        { command: commands.open, run: current.open },
      ]),
    { initialProps: run },
  );

test('a command runs by its keys only while it is registered with a function', () => {
  const ran: string[] = [];
  const { rerender, unmount } = register({ sign: () => ran.push('sign') });

  press('q', 'f', 'v');
  rerender({ open: () => ran.push('open') });
  press('q', 'f', 'v');
  unmount();
  press('q', 'f', 'v');

  expect(ran).toEqual(['sign', 'open']);
});

test('the palette offers the registered commands and runs their latest function', () => {
  const ran: string[] = [];
  const { rerender } = register({ sign: () => ran.push('first') });
  expect(offeredCommands().map(({ id }) => id)).toEqual(['test.sign']);

  rerender({ sign: () => ran.push('second') });
  expect(runCommand('test.sign')).toBe(true);
  rerender({});

  expect(runCommand('test.sign')).toBe(false);
  expect(ran).toEqual(['second']);
});

test('changed keys replace the default at once, belong to the user, and can be reset', () => {
  signIn();
  const ran: string[] = [];
  register({ sign: () => ran.push('sign') });
  const { result } = renderHook(() => useChangedKeys());

  result.current.change(commands.sign, 'q z');
  expect(keysOf(commands.sign)).toBe('q z');
  signIn('REFERRING_PHYSICIAN');
  localStorage.setItem('preference.keys.other.u9', '{"test.sign":"q y"}');
  signIn();
  result.current.resetAll();

  expect(keysOf(commands.sign)).toBe('q f');
  press('q', 'f');
  expect(ran).toEqual(['sign']);
});

test('stored keys that cannot be read do not stop the commands', () => {
  signIn();
  const { result } = renderHook(() => useChangedKeys());
  result.current.change(commands.sign, 'q z');
  const name = Object.keys(localStorage).find((key) => key.startsWith('preference.keys.')) ?? '';
  localStorage.setItem(name, '{"test.sign":');

  expect(keysOf(commands.sign)).toBe('q f');
  result.current.resetAll();
});

test('a sequence does nothing in text, and its second key does nothing after leaving the text', () => {
  const ran: string[] = [];
  register({ sign: () => ran.push('sign') });
  const text = document.body.appendChild(document.createElement('textarea'));

  fireEvent.keyDown(text, { key: 'q' });
  fireEvent.keyDown(text, { key: 'f' });
  fireEvent.keyDown(text, { key: 'q' });
  text.remove();
  press('f');

  expect(ran).toEqual([]);
});
