import { defaultPermissions } from '@radwork/contract/core/access';
import { permissionWords } from '@radwork/contract/permission-labels';
import { type Role, roles } from '@radwork/contract/identity/roles';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, bodiesOf, refuse, signIn, visit } from '#test/screen.tsx';

const role = (changes: Partial<Role> = {}): Role => ({
  id: '0193d4a0-0000-7000-8000-0000000000bb',
  name: 'Resident',
  description: 'Reads under supervision',
  permissions: ['study.view', 'report.view', 'report.create'],
  builtInFor: null,
  holders: 3,
  isOwn: false,
  revision: 2,
  ...changes,
});

const radiologist = role({
  id: '0193d4a0-0000-7000-8000-0000000000cc',
  name: 'Radiologist',
  permissions: [...defaultPermissions.RADIOLOGIST],
  builtInFor: 'RADIOLOGIST',
  holders: 1,
});

const open = (...answers: Parameters<typeof visit>[1][]) => {
  signIn('SUPER_ADMIN');
  return visit(
    '/roles',
    answer(roles.list, () => [radiologist, role()]),
    ...answers,
  );
};
const edit = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Resident' }));
  return within(await screen.findByRole('dialog', { name: 'Resident' }));
};

test('the list of roles shows which are built in, their permissions and their number of users', async () => {
  open();

  const row = within(await screen.findByRole('row', { name: /Resident/ }));

  for (const text of ['Custom', 'Reads under supervision', '3 of 29', '3']) expect(row.getByText(text)).toBeDefined();
  expect(within(screen.getByRole('row', { name: /Radiologist/ })).getByText('Built-in')).toBeDefined();
});

test('the role form lists each permission in its area with its description', async () => {
  open();
  const drawer = await edit();

  expect(drawer.getAllByRole('checkbox')).toHaveLength(Object.keys(permissionWords).length);
  const reports = within(drawer.getByRole('group', { name: 'Reports' }));
  expect(reports.getByRole('checkbox', { name: 'Create reports' })).toHaveProperty('checked', true);
  expect(reports.getByText('sign reports and add addenda')).toBeDefined();
});

test('a built-in role is read-only and can be copied', async () => {
  const { calls } = open(answer(roles.create, () => role({ name: 'Radiologist (copy)' })));
  await userEvent.click(await screen.findByRole('button', { name: 'View Radiologist' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Radiologist' }));
  for (const box of drawer.getAllByRole('checkbox')) expect(box).toHaveProperty('disabled', true);

  await userEvent.click(drawer.getByRole('button', { name: 'Clone' }));
  const copy = within(await screen.findByRole('dialog', { name: 'Copy of Radiologist' }));
  await userEvent.click(copy.getByRole('checkbox', { name: 'Sign reports' }));
  await userEvent.click(copy.getByRole('button', { name: 'Create role' }));

  await waitFor(() => expect(bodiesOf(calls, roles.create)).toHaveLength(1));
  expect(bodiesOf(calls, roles.create)[0]).toMatchObject({
    name: 'Radiologist (copy)',
    description: '',
    permissions: expect.not.arrayContaining(['report.finalize']),
  });
});

test('removing a permission from a role in use asks first and shows how many users lose it', async () => {
  const { calls } = open(answer(roles.update, () => role()));
  const drawer = await edit();
  await userEvent.click(drawer.getByRole('checkbox', { name: 'Create reports' }));
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  const question = within(await screen.findByRole('dialog', { name: 'Remove 1 permission from 3 users?' }));
  expect(bodiesOf(calls, roles.update)).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Remove permissions' }));

  await waitFor(() =>
    expect(bodiesOf(calls, roles.update)).toEqual([
      expect.objectContaining({ permissions: ['study.view', 'report.view'], revision: 2 }),
    ]),
  );
});

test('closing a role with unsaved changes asks first', async () => {
  open();
  const drawer = await edit();
  await userEvent.type(drawer.getByLabelText(/Name/), ' 2');

  await userEvent.click(drawer.getByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));

  expect(drawer.getByLabelText(/Name/)).toHaveProperty('value', 'Resident 2');
});

test("a conflict in a role is reported, and the other user's changes stay", async () => {
  open(refuse(roles.update, 409, 'Another user changed this role.'));
  const drawer = await edit();
  await userEvent.click(drawer.getByRole('checkbox', { name: 'Chat' }));
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  expect(await drawer.findByText('Another user changed this role.')).toBeDefined();
});

test('a role in use cannot be deleted, and the button says why', async () => {
  open();

  const button = await screen.findByRole('button', { name: 'Delete Resident' });
  await userEvent.hover(button);

  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(await screen.findByText('3 users have this role')).toBeDefined();
});
