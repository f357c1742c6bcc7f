import { type HangingRule, hangingRules } from '@radwork/contract/reading/hanging-rules';
import { type KeptLayout, keptLayouts } from '@radwork/contract/reading/kept-layouts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testScreenAccess } from '#test/screen-access.tsx';
import { answer, bodiesOf, refuse, signIn, visit } from '#test/screen.tsx';

testScreenAccess('/hanging-rules', {
  openTo: ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST', 'REFERRING_PHYSICIAN'],
  entry: 'Hanging rules',
});

const rule = (part: Partial<HangingRule> = {}): HangingRule => ({
  id: `0193d4a0-0000-7000-8000-00000000000${part.modality === 'MR' ? 2 : part.modality === 'MG' ? 3 : 1}`,
  modality: 'CT',
  bodyPart: 'chest',
  monitors: null,
  layout: '1x2',
  prior: 'below',
  panes: [],
  linkedScroll: 'usual',
  window: null,
  tool: null,
  isShared: false,
  revision: 4,
  updatedBy: 'Reader',
  updatedAt: '2026-11-30T00:00:00Z',
  ...part,
});

const open = (rules: HangingRule[], ...answers: Parameters<typeof visit>[1][]) =>
  visit(
    '/hanging-rules',
    answer(hangingRules.list, () => rules),
    ...answers,
  );
const drawer = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('without rules, the screen describes the built-in hanging', async () => {
  signIn('RADIOLOGIST');
  open([]);

  expect(await screen.findByText('No own rules')).toBeDefined();
  expect(screen.getByText(/mammograms hang right next to left/)).toBeDefined();
  expect(screen.getByText('The organization has no rules.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Create rule for the organization' })).toBeNull();
});

test('a reader creates a rule with viewports, and sees a small preview before saving', async () => {
  signIn('RADIOLOGIST');
  const { calls } = open(
    [],
    answer(hangingRules.create, () => rule()),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create rule' }));
  const form = await drawer('Create rule');

  await userEvent.selectOptions(form.getByLabelText('Modality'), 'MR');
  await userEvent.selectOptions(form.getByLabelText('Body part'), 'head');
  await userEvent.selectOptions(form.getByLabelText('Monitors'), '2 monitors');
  await userEvent.selectOptions(form.getByLabelText('Layout without the prior'), '1 row, 2 columns');
  await userEvent.selectOptions(form.getByLabelText('Position of the prior'), 'Prior below');
  await userEvent.selectOptions(form.getByLabelText('Link scrolling'), 'Linked scrolling off');
  await userEvent.selectOptions(form.getByLabelText('Tool of the left mouse button'), 'Length');
  const second = within(form.getByRole('group', { name: 'Viewport 2' }));
  await userEvent.selectOptions(second.getByLabelText('Shows'), 'T2');
  await userEvent.selectOptions(second.getByLabelText('Plane'), 'Axial');
  await userEvent.type(second.getByLabelText('Words of the series description'), 'fat sat');
  const shown = 'T2, axial, “fat sat”';
  expect(form.getByRole('img', { name: `Next series; ${shown}; Prior; Prior: ${shown}` })).toBeDefined();
  await userEvent.click(form.getByRole('button', { name: 'Create rule' }));

  await waitFor(() => expect(bodiesOf(calls, hangingRules.create)).toHaveLength(1));
  expect(bodiesOf(calls, hangingRules.create)[0]).toEqual({
    modality: 'MR',
    bodyPart: 'head',
    monitors: 2,
    layout: '1x2',
    prior: 'below',
    linkedScroll: 'off',
    window: null,
    tool: 'length',
    panes: [
      { shows: '', plane: '', words: '', isPrior: false },
      { shows: 'T2', plane: 'axial', words: 'fat sat', isPrior: false },
    ],
    isShared: false,
  });
});

test('a rule without room for its prior is not sent, and the field says why', async () => {
  signIn('RADIOLOGIST');
  const { calls } = open([rule()]);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit CT chest' }));
  const form = await drawer('CT chest');

  await userEvent.selectOptions(form.getByLabelText('Layout without the prior'), '3 rows, 3 columns');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));

  expect(form.getByText('This layout leaves no room for a prior. Choose a smaller layout.')).toBeDefined();
  expect(bodiesOf(calls, hangingRules.update)).toEqual([]);
});

test('a refused change shows the reason and leaves the form open', async () => {
  signIn('RADIOLOGIST');
  const words = 'Dr. Other changed the rule. Open it again to see the change.';
  open([rule()], refuse(hangingRules.update, 409, words));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit CT chest' }));
  const form = await drawer('CT chest');
  await userEvent.selectOptions(form.getByLabelText('Window of CT'), 'Lung');

  await userEvent.click(form.getByRole('button', { name: 'Save' }));

  expect(await form.findByText(words)).toBeDefined();
});

test('a deleted rule returns to its place when the deletion is undone', async () => {
  signIn('RADIOLOGIST');
  const { calls } = open(
    [rule({ modality: 'MR' }), rule()],
    answer(hangingRules.remove, () => undefined),
    answer(hangingRules.create, () => rule()),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete CT chest' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));

  await waitFor(() => expect(bodiesOf(calls, hangingRules.create)).toHaveLength(1));
  expect(bodiesOf(calls, hangingRules.remove)).toHaveLength(1);
  expect(bodiesOf(calls, hangingRules.create)[0]).toMatchObject({
    modality: 'CT',
    layout: '1x2',
    isShared: false,
    at: 1,
  });
});

test('the buttons of a rule move it in the list', async () => {
  signIn('RADIOLOGIST');
  const { calls } = open(
    [rule({ modality: 'MR' }), rule()],
    answer(hangingRules.move, () => []),
  );
  expect((await screen.findByRole('button', { name: 'Move up MR chest' })).getAttribute('aria-disabled')).toBe('true');

  await userEvent.click(screen.getByRole('button', { name: 'Move up CT chest' }));

  await waitFor(() => expect(bodiesOf(calls, hangingRules.move)).toEqual([{ at: 0 }]));
});

test('a reader views and copies a rule of the organization, but cannot change it', async () => {
  signIn('RADIOLOGIST');
  const { calls } = open(
    [rule({ isShared: true })],
    answer(hangingRules.create, () => rule()),
  );
  await screen.findByRole('button', { name: 'View CT chest' });
  for (const verb of ['Edit', 'Delete', 'Move up']) {
    expect(screen.queryByRole('button', { name: `${verb} CT chest` })).toBeNull();
  }

  await userEvent.click(screen.getByRole('button', { name: 'Copy CT chest to own rules' }));
  const form = await drawer('Copy of CT chest');
  await userEvent.click(form.getByRole('button', { name: 'Create rule' }));

  await waitFor(() =>
    expect(bodiesOf(calls, hangingRules.create)[0]).toMatchObject({ layout: '1x2', isShared: false }),
  );
});

test('an administrator creates and edits rules of the organization', async () => {
  signIn('ADMIN');
  const { calls } = open(
    [rule({ isShared: true })],
    answer(hangingRules.create, () => rule()),
    answer(hangingRules.update, () => rule()),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create rule for the organization' }));
  const made = await drawer('Create rule for the organization');
  await userEvent.click(made.getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(bodiesOf(calls, hangingRules.create)[0]).toMatchObject({ modality: '', isShared: true }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await userEvent.click(screen.getByRole('button', { name: 'Edit CT chest' }));
  const form = await drawer('CT chest');
  await userEvent.selectOptions(form.getByLabelText('Position of the prior'), 'No prior');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));

  await waitFor(() => expect(bodiesOf(calls, hangingRules.update)[0]).toMatchObject({ prior: 'never', revision: 4 }));
});

test('a layout saved in the viewer is edited as a rule, which replaces it', async () => {
  signIn('RADIOLOGIST');
  let saved: KeptLayout[] = [{ kind: 'MR head', layout: '1x2', roles: ['T2 axial', 'prior T2 axial'] }];
  const { calls } = open(
    [],
    answer(keptLayouts.mine, () => saved),
    answer(keptLayouts.forget, () => {
      saved = [];
    }),
    answer(hangingRules.create, () => rule()),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Edit MR head as rule' }));
  const form = await drawer('Create rule');
  await userEvent.click(form.getByRole('button', { name: 'Create rule' }));

  await waitFor(() => expect(saved).toEqual([]));
  expect(bodiesOf(calls, hangingRules.create)[0]).toMatchObject({
    modality: 'MR',
    bodyPart: 'head',
    layout: '1x2',
    prior: 'panes',
    panes: [
      { shows: 'T2', plane: 'axial', isPrior: false },
      { shows: 'T2', plane: 'axial', isPrior: true },
    ],
  });
});
