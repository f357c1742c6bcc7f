import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { tools } from '#reading/viewer/engine/tools/tools.ts';
import { knownCommands } from '#ui/keyboard/commands.ts';
import { signIn, visit } from '#test/screen.tsx';
import { commandGroups } from './all-commands.ts';
import { keyConflict } from './key-conflict.ts';

const command = (id: string) => {
  const found = knownCommands().find((known) => known.id === id);
  if (!found) throw new Error(`There is no command ${id}`);
  return found;
};

const openPage = async () => {
  signIn();
  visit('/keyboard');
  await screen.findByRole('heading', { name: 'Keyboard' });
};

const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) });

const change = async (name: string, keys: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Change keys: ${name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change keys' }));
  await userEvent.click(dialog.getByRole('textbox', { name: 'New keys' }));
  await userEvent.keyboard(keys);
  return dialog;
};

test('each command has keys of its own, and commands that claim, sign, send or flag have two', () => {
  commandGroups();
  const conflicts = knownCommands().map((known) => [known.id, keyConflict(known, known.keys, {})]);

  expect(conflicts.filter(([, conflict]) => conflict)).toEqual([]);
  const serious = knownCommands().filter(({ isSerious }) => isSerious);
  expect(serious.filter(({ keys }) => keys.split(' ').length !== 2)).toEqual([]);
  expect(serious.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['report.finalize', 'report.requestReview', 'report.share', 'finding.add', 'reading.next']),
  );
});

test('no image tool has the first key of a command on the study', () => {
  const first = new Set(knownCommands().flatMap(({ keys }) => (keys.startsWith('q ') ? ['q'] : [])));

  expect(tools.filter(({ key }) => first.has(key))).toEqual([]);
});

test.each([
  ['report.finalize', 'q', 'This command needs two keys, one after the other, so that a single key cannot start it.'],
  ['report.finalize', 'F9', 'This command needs two keys, one after the other, so that a single key cannot start it.'],
  ['report.finalize', 'q n', '“Next study” uses these keys. Change them there first.'],
  ['report.finalize', 'w f', 'Viewers and lists use this key. Begin with Q, or use a function key.'],
  ['workflow.assign', 'F5', 'The browser uses F5.'],
  ['workflow.assign', 'F9 a', 'Use the function key without a second key.'],
  ['workflow.assign', 'q', '“Next study” uses these keys. Change them there first.'],
  ['dictation.toggle', 'q z', 'This command also works in text, so it needs a function key such as F9.'],
  ['workflow.assign', '', 'Press one or two keys.'],
])('the command %s cannot have the keys “%s”', (id, keys, message) => {
  expect(keyConflict(command(id), keys, {})).toEqual(message);
});

test.each([
  ['report.finalize', 'q z'],
  ['workflow.assign', 'F9'],
  ['screen.studies', 'g z'],
  ['dictation.toggle', 'F2'],
])('the command %s can have the keys “%s”', (id, keys) => {
  expect(keyConflict(command(id), keys, {})).toBeUndefined();
});

test('the user changes keys, sees them everywhere, and resets them', async () => {
  await openPage();

  const dialog = await change('Finalize report', 'qz');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(rowOf('Finalize report').textContent).toContain('QZchanged');
  await userEvent.click(screen.getByRole('button', { name: 'Reset keys' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Reset keys' }));

  await waitFor(() => expect(rowOf('Finalize report').textContent).toContain('QF'));
});

test('keys of another command are refused with its name, and nothing is saved', async () => {
  await openPage();

  const dialog = await change('Finalize report', 'qn{Enter}');

  expect(await dialog.findByText('“Next study” uses these keys. Change them there first.')).toBeDefined();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(rowOf('Finalize report').textContent).toContain('QF');
});
