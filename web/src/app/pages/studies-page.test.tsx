import { workflow } from '@radwork/contract/reading/workflow';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer } from '#test/screen.tsx';
import { workOf } from '#test/study-work.ts';
import { named, openStudies, pageOf } from '#test/study-list.tsx';

test.each([
  ['s', 'Update status'],
  ['a', 'Assign users'],
])('the key %s opens "%s" for the current study and names its patient', async (key, title) => {
  const { calls } = await openStudies('/studies', () => pageOf([named('One'), named('Two')]), {
    as: 'ADMIN',
    answers: [answer(workflow.read, () => workOf()), answer(workflow.assignable, () => [])],
  });
  await screen.findByRole('link', { name: 'Two, X' });

  await userEvent.keyboard(`jj${key}`);

  const dialog = within(await screen.findByRole('dialog', { name: title }));
  expect(dialog.getByText('Two, X')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname === '/api/workflow/studies/id-of-Two')).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('row', { name: /Two, X/, current: true })).toBeDefined();
});

test('the help lists no shortcuts for actions without permission', async () => {
  await openStudies('/studies', () => pageOf([named('One')]), { as: 'REFERRING_PHYSICIAN' });
  await screen.findByRole('link', { name: 'One, X' });

  await userEvent.keyboard('jsa?');

  const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(keys.getByText('Open viewer')).toBeDefined();
  expect(keys.queryByText('Assign study')).toBeNull();
  expect(keys.queryByText('Change study status')).toBeNull();
});

test('the key ? shows the shortcuts of the study list', async () => {
  await openStudies('/studies', () => pageOf([named('One')]), { as: 'ADMIN' });
  await screen.findByRole('link', { name: 'One, X' });

  await userEvent.keyboard('?');

  const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  for (const does of ['Next row', 'Open row', 'Show or hide series', 'Open viewer', 'Search studies']) {
    expect(keys.getByText(does)).toBeDefined();
  }
  expect(keys.getByText('Assign study')).toBeDefined();
});
