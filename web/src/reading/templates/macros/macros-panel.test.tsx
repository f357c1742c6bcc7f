import { type Macro, macros } from '@radwork/contract/reading/macros';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, type SentRequest, serve, show } from '#test/screen.tsx';
import { MacrosPanel } from './macros-panel.tsx';

const macroFor = (overrides: Partial<Macro> = {}): Macro => ({
  id: 'm1',
  abbreviation: 'nad',
  name: 'No acute disease',
  text: 'No acute disease.',
  isShared: false,
  revision: 3,
  updatedBy: 'Mona Haddad',
  updatedAt: '2026-11-20T10:00:00Z',
  ...overrides,
});

const shared = macroFor({ id: 'm2', isShared: true, text: 'The shared text.', updatedBy: 'Ada Admin' });

const serving = (known: Macro[]) =>
  serve(
    answer(macros.list, () => known),
    answer(macros.create, () => macroFor()),
    answer(macros.update, () => macroFor()),
    answer(macros.remove, () => undefined),
  );

const changes = (calls: SentRequest[]) =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, body, url }) => [method, url.pathname, body]);

test('the macro list shows the owner of each macro, and marks a shared macro that a private macro hides', async () => {
  serving([macroFor(), shared]);
  show(<MacrosPanel />);

  const [own, other] = await screen.findAllByRole('listitem');
  if (!own || !other) throw new Error('two macros');

  expect(within(own).getByText('Yours')).toBeDefined();
  expect(within(own).queryByText('Overridden by your macro')).toBeNull();
  expect(within(other).getByText('Overridden by your macro')).toBeDefined();
  // Radiologists may edit only their own macros.
  expect(within(own).getByRole('button', { name: 'Edit nad' })).toBeDefined();
  expect(within(other).queryByRole('button')).toBeNull();
});

test('a writer adds a private macro, and errors appear at the fields before anything is sent', async () => {
  const calls = serving([]);
  show(<MacrosPanel />);
  expect(await screen.findByText('No macros yet')).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Create macro' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Abbreviation/ }), '/x');
  await userEvent.click(screen.getByRole('button', { name: 'Save macro' }));
  expect(await screen.findByText('Use letters, digits, "-", "_" and "." only')).toBeDefined();
  expect(changes(calls)).toEqual([]);
  await userEvent.clear(screen.getByRole('textbox', { name: /Abbreviation/ }));
  await userEvent.type(screen.getByRole('textbox', { name: /Abbreviation/ }), 'cmp');
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), 'Comparison');
  await userEvent.type(screen.getByRole('textbox', { name: /^Text/ }), 'Since ');
  await userEvent.click(screen.getByRole('button', { name: 'Insert merge field' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /comparison\.date/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save macro' }));

  await waitFor(() => expect(changes(calls)).toHaveLength(1));
  const body = { abbreviation: 'cmp', name: 'Comparison', text: 'Since {{comparison.date}}', isShared: false };
  expect(changes(calls)).toEqual([['POST', '/api/macros', body]]);
});

test('a new macro of an administrator without report rights is always shared', async () => {
  const calls = serving([]);
  show(<MacrosPanel />, 'ADMIN');

  await userEvent.click(await screen.findByRole('button', { name: 'Create macro' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Abbreviation/ }), 'xx');
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), 'X');
  await userEvent.type(screen.getByRole('textbox', { name: /^Text/ }), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Save macro' }));

  await waitFor(() => expect(changes(calls)[0]?.[2]).toMatchObject({ isShared: true }));
});

test('saving a macro sends the loaded revision, and the message of a conflict stays on the screen', async () => {
  const words = 'Bo Busy changed the macro. Its text is now "Theirs".';
  const calls = serve(
    answer(macros.list, () => [macroFor()]),
    refuse(macros.update, 409, words),
  );
  show(<MacrosPanel />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit nad' }));
  await userEvent.type(screen.getByRole('textbox', { name: /^Text/ }), ' More.');
  await userEvent.click(screen.getByRole('button', { name: 'Save macro' }));

  expect(await screen.findByText(words, { selector: '[role="alert"] *' })).toBeDefined();
  expect(changes(calls)[0]?.[2]).toMatchObject({ revision: 3, text: 'No acute disease. More.' });
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Text/ }).value).toBe('No acute disease. More.');
});

test('a deleted macro can be restored', async () => {
  const calls = serving([macroFor()]);
  show(<MacrosPanel />);

  await userEvent.click(await screen.findByRole('button', { name: 'Delete nad' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  await waitFor(() => expect(changes(calls)).toHaveLength(2));
  const body = { abbreviation: 'nad', name: 'No acute disease', text: 'No acute disease.', isShared: false };
  expect(changes(calls)).toEqual([
    ['DELETE', '/api/macros/m1', undefined],
    ['POST', '/api/macros', body],
  ]);
});
