import { type Group, type GroupDetails, groups } from '@radwork/contract/identity/groups';
import { users } from '@radwork/contract/identity/users';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testScreenAccess } from '#test/screen-access.tsx';
import { answer, bodiesOf, refuse, signIn, visit } from '#test/screen.tsx';

const group = (changes: Partial<Group> = {}): Group => ({
  id: '0193d4a0-0000-7000-8000-0000000000ba',
  name: 'North site',
  kind: 'SITE',
  isLimiting: false,
  arrivalNames: ['north clinic'],
  memberCount: 1,
  viewCount: 0,
  ruleCount: 0,
  isOwn: false,
  revision: 2,
  ...changes,
});

const member = {
  id: '0193d4a0-0000-7000-8000-0000000000bc',
  username: 'm.haddad',
  name: 'Mona Haddad',
  userType: 'RADIOLOGIST' as const,
  active: true,
  isLimited: false,
};

const details = (changes: Partial<GroupDetails> = {}): GroupDetails => ({
  ...group(),
  members: [member],
  studyCount: 3,
  ...changes,
});

testScreenAccess(
  '/groups',
  { openTo: ['SUPER_ADMIN', 'ADMIN'], entry: 'Groups' },
  answer(groups.list, () => [group()]),
);

const open = (...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  return visit(
    '/groups',
    ...answers,
    answer(groups.list, () => [group()]),
    answer(groups.get, () => details()),
    answer(users.search, () => []),
  );
};

const edit = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Edit North site' }));
  return within(await screen.findByRole('dialog', { name: 'Group' }));
};

test('an organization without groups reads what groups are for', async () => {
  signIn('ADMIN');
  visit(
    '/groups',
    answer(groups.list, () => []),
  );

  expect(await screen.findByText('No groups')).toBeDefined();
});

test('the list shows kind, limit and number of members of each group', async () => {
  open();

  const row = within(await screen.findByRole('row', { name: /North site/ }));

  for (const text of ['Site', 'Not limited by the group', '1']) expect(row.getByText(text)).toBeDefined();
});

test('making a group limiting asks first and shows how many users become limited', async () => {
  const { calls } = open(answer(groups.update, () => details({ isLimiting: true })));
  const drawer = await edit();
  await userEvent.click(await drawer.findByRole('checkbox', { name: 'Members see only the studies of their groups' }));
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  const question = within(await screen.findByRole('dialog', { name: 'Limit 1 user?' }));
  expect(bodiesOf(calls, groups.update)).toEqual([]);
  expect(question.getByText(/Assignments of these users to other studies end\./)).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Limit users' }));

  await waitFor(() =>
    expect(bodiesOf(calls, groups.update)).toEqual([
      expect.objectContaining({ isLimiting: true, memberIds: [member.id], revision: 2 }),
    ]),
  );
});

test('removing a limited member asks first and says that assignments end', async () => {
  const limited = { ...member, isLimited: true };
  const { calls } = open(
    answer(groups.get, () => details({ members: [limited] })),
    answer(groups.update, () => details({ members: [] })),
  );
  const drawer = await edit();
  await userEvent.click(await drawer.findByLabelText('Members', { selector: 'input' }));
  await userEvent.keyboard('{Backspace}');
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  const question = within(await screen.findByRole('dialog', { name: 'Remove 1 limited user from the group?' }));
  expect(question.getByText(/Their assignments to these studies end\./)).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Remove users' }));

  await waitFor(() => expect(bodiesOf(calls, groups.update)).toEqual([expect.objectContaining({ memberIds: [] })]));
});

test('a conflict in a group is reported', async () => {
  open(refuse(groups.update, 409, 'Another user changed this group.'));
  const drawer = await edit();
  await userEvent.type(await drawer.findByLabelText(/Name/), ' 2');
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  expect(await drawer.findByText('Another user changed this group.')).toBeDefined();
});

test('deleting a group asks first and names what is lost', async () => {
  const { calls } = open(
    answer(groups.list, () => [group({ viewCount: 2, ruleCount: 1 })]),
    answer(groups.remove, () => undefined),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete North site' }));

  const question = within(await screen.findByRole('dialog', { name: /Delete the group/ }));
  expect(question.getByText(/1 member leaves the group/)).toBeDefined();
  expect(question.getByText(/Their assignments to these studies end\./)).toBeDefined();
  expect(question.getByText('2 saved views of the group are deleted.')).toBeDefined();
  expect(question.getByText('1 assignment rule uses the group and then assigns nothing.')).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Delete group' }));

  await waitFor(() => expect(bodiesOf(calls, groups.remove)).toHaveLength(1));
});
