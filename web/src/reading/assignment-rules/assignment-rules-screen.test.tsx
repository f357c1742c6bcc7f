import { type AssignmentRule, assignmentRules, type DryRun } from '@radwork/contract/reading/assignment-rules';
import { groups } from '@radwork/contract/identity/groups';
import { studies } from '@radwork/contract/imaging/studies';
import { workflow } from '@radwork/contract/reading/workflow';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testScreenAccess } from '#test/screen-access.tsx';
import { answer, bodiesOf, refuse, signIn, visit } from '#test/screen.tsx';

const ids = {
  night: '0193d4a0-0000-7000-8000-0000000000a1',
  rest: '0193d4a0-0000-7000-8000-0000000000a2',
  neuro: '0193d4a0-0000-7000-8000-0000000000a3',
  reader: '0193d4a0-0000-7000-8000-0000000000a4',
};

const rule = (changes: Partial<AssignmentRule> = {}): AssignmentRule => ({
  id: ids.night,
  name: 'CT head at night',
  isActive: true,
  conditions: {
    modalities: ['CT'],
    bodyParts: ['HEAD'],
    sites: [],
    priorities: [],
    shift: { days: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' },
  },
  assignee: { kind: 'LEAST_LOADED', id: ids.neuro },
  mostOpen: 10,
  assigneeName: 'Neuro',
  fault: null,
  ...changes,
});

const rest = rule({
  id: ids.rest,
  name: 'Rest',
  conditions: { modalities: [], bodyParts: [], sites: [], priorities: [], shift: null },
  assignee: { kind: 'USER', id: ids.reader },
  mostOpen: null,
  assigneeName: 'Mona Haddad',
});

const group = {
  id: ids.neuro,
  name: 'Neuro',
  kind: 'SUBSPECIALTY' as const,
  isLimiting: false,
  arrivalNames: [],
  memberCount: 2,
  viewCount: 0,
  ruleCount: 0,
  isOwn: false,
  revision: 1,
};

const mona = {
  id: ids.reader,
  username: 'm.haddad',
  name: 'Mona Haddad',
  userType: 'RADIOLOGIST' as const,
  specialization: '',
  department: '',
};

testScreenAccess(
  '/assignment-rules',
  { openTo: ['SUPER_ADMIN', 'ADMIN'], entry: 'Assignment rules' },
  answer(assignmentRules.read, () => ({ revision: 1, rules: [] })),
);

const open = (rules: AssignmentRule[], ...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  return visit(
    '/assignment-rules',
    answer(assignmentRules.read, () => ({ revision: 4, rules })),
    answer(studies.filterChoices, () => ({ bodyParts: ['HEAD', 'SCHULTER'], devices: ['CT-2'] })),
    answer(groups.list, () => [group]),
    answer(workflow.assignable, () => [mona]),
    ...answers,
  );
};

const saving = answer(assignmentRules.save, () => ({ revision: 5, rules: [] }));

const listed = async () => within(await screen.findByRole('list', { name: 'Assignment rules' }));

test('the list shows conditions, assignee and what is wrong with each rule', async () => {
  open([rule(), { ...rest, fault: 'INACTIVE' }]);

  const list = await listed();

  expect(list.getByText('CT · Head · Mon–Fri 22:00–06:00')).toBeDefined();
  expect(list.getByText('→ Neuro, fewest open studies, at most 10 open')).toBeDefined();
  expect(list.getByText('All studies')).toBeDefined();
  expect(list.getByText('The user is not an active reader')).toBeDefined();
});

test('a screen without rules says what happens to studies', async () => {
  open([]);

  expect(await screen.findByText('No assignment rules')).toBeDefined();
  expect(screen.queryByText('Dry run')).toBeNull();
});

test('the button moves a rule up, and saving sends the rules in the new order with their ids', async () => {
  const { calls } = open([rule(), rest], saving);
  await userEvent.click(await screen.findByRole('button', { name: 'Move up Rest' }));

  expect(await screen.findByText('Rest is now rule 1 of 2')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  await waitFor(() =>
    expect(bodiesOf(calls, assignmentRules.save)).toMatchObject([
      { revision: 4, rules: [{ id: ids.rest }, { id: ids.night }] },
    ]),
  );
});

test('dragging a rule above another one moves it', async () => {
  open([rule(), rest]);
  const [first, second] = (await listed()).getAllByRole('listitem');
  if (!first || !second) throw new Error('Two rules are listed');
  const dataTransfer = { setData: () => {}, effectAllowed: '' };

  fireEvent.dragStart(second, { dataTransfer });
  fireEvent.dragOver(first, { dataTransfer });
  fireEvent.drop(first, { dataTransfer });

  const names = (await listed())
    .getAllByRole('listitem')
    .map((item) => within(item).getByText(/night|Rest/).textContent);
  expect(names).toEqual(['Rest', 'CT head at night']);
});

test('a rule is added with its conditions and its assignee', async () => {
  const { calls } = open([], saving);
  await userEvent.click(await screen.findByRole('button', { name: 'Add rule' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Add rule' }));
  await userEvent.click(drawer.getByRole('button', { name: 'Add rule' }));
  expect(await drawer.findByText('Name is required')).toBeDefined();
  expect(drawer.getByText('Choose an assignee')).toBeDefined();

  await userEvent.type(drawer.getByLabelText(/^Name/), 'Weekend');
  await userEvent.type(drawer.getByRole('combobox', { name: /Institutions and stations/ }), 'North Clinic{Enter}');
  await userEvent.click(drawer.getByRole('checkbox', { name: 'Only at certain times' }));
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']) await userEvent.click(drawer.getByLabelText(day));
  for (const day of ['Sat', 'Sun']) await userEvent.click(drawer.getByLabelText(day));
  await userEvent.clear(drawer.getByLabelText('From'));
  await userEvent.type(drawer.getByLabelText('From'), '25:00');
  await userEvent.click(drawer.getByRole('button', { name: 'Add rule' }));
  expect(await drawer.findByText('Enter a time such as 07:30')).toBeDefined();
  await userEvent.clear(drawer.getByLabelText('From'));
  await userEvent.type(drawer.getByLabelText('From'), '7:30');
  await userEvent.click(drawer.getByRole('combobox', { name: /^Group/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Neuro' }));
  await userEvent.type(drawer.getByLabelText(/Maximum of open studies/), '8');
  await userEvent.click(drawer.getByRole('button', { name: 'Add rule' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  await waitFor(() =>
    expect(bodiesOf(calls, assignmentRules.save)).toEqual([
      {
        revision: 4,
        rules: [
          {
            name: 'Weekend',
            isActive: true,
            conditions: {
              modalities: [],
              bodyParts: [],
              sites: ['North Clinic'],
              priorities: [],
              shift: { days: [6, 7], from: '07:30', to: '17:00' },
            },
            assignee: { kind: 'LEAST_LOADED', id: ids.neuro },
            mostOpen: 8,
          },
        ],
      },
    ]),
  );
});

test('deleting a rule asks first and says what is lost, and Discard brings it back', async () => {
  open([rule(), rest]);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Rest' }));
  const question = within(await screen.findByRole('dialog', { name: 'Delete the rule Rest?' }));
  expect(question.getByText(/go to the next rule that matches/)).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Delete rule' }));
  await waitFor(async () => expect((await listed()).queryByText('Rest')).toBeNull());

  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));

  expect((await listed()).getByText('Rest')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
});

test('a conflict is shown, with a button that reloads the rules', async () => {
  open([rule(), rest], refuse(assignmentRules.save, 409, 'Another user changed the rules.'));
  await userEvent.click(await screen.findByRole('switch', { name: 'Rest is on' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByRole('button', { name: 'Reload settings' })).toBeDefined();
});

test('an error of the server is shown at its rule', async () => {
  open(
    [rule(), rest],
    refuse(assignmentRules.save, 422, 'Invalid', {
      errors: [{ field: 'rules.1.assignee.id', message: 'Choose users of this organization' }],
    }),
  );
  await userEvent.click(await screen.findByRole('switch', { name: 'CT head at night is on' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  const [, second] = (await listed()).getAllByRole('listitem');
  await waitFor(() => expect(second?.textContent).toContain('Choose users of this organization'));
});

test('a dry run uses the unsaved rules, and shows each study, a summary by rule and how many were judged', async () => {
  const unmatched = { arrivedAt: '2026-11-29T20:10:00Z', rule: null, assignee: '', isOld: false, passed: [] };
  const result: DryRun = {
    arrived: 1200,
    studies: [
      {
        id: 's1',
        description: 'CT head',
        arrivedAt: '2026-11-29T22:10:00Z',
        rule: 0,
        assignee: 'Neuro Reader',
        isOld: false,
        passed: [],
      },
      {
        id: 's2',
        description: 'MR knee',
        arrivedAt: '2026-11-29T21:10:00Z',
        rule: null,
        assignee: '',
        isOld: false,
        passed: [{ rule: 1, cause: 'FULL' }],
      },
      { ...unmatched, id: 's3', description: 'US neck' },
      { ...unmatched, id: 's4', description: 'CT of 2016', isOld: true },
    ],
  };
  const { calls } = open(
    [rule(), rest],
    answer(assignmentRules.dryRun, () => result),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Move up Rest' }));
  await userEvent.click(screen.getByRole('button', { name: 'Last 7 days' }));

  expect(await screen.findByText('The newest 4 of 1,200 studies.')).toBeDefined();
  expect(bodiesOf(calls, assignmentRules.dryRun)).toMatchObject([
    { period: 'WEEK', rules: [{ name: 'Rest' }, { name: 'CT head at night' }] },
  ]);
  const summary = within(screen.getByRole('table', { name: 'Studies by rule' }));
  expect(summary.getByRole('row', { name: 'Rest 1 0' })).toBeDefined();
  expect(summary.getByRole('row', { name: 'CT head at night 0 1' })).toBeDefined();
  expect(summary.getByRole('row', { name: /^Not assigned 3/ })).toBeDefined();
  expect(screen.getByRole('row', { name: /MR knee.*CT head at night: maximum of open studies reached/ })).toBeDefined();
  expect(screen.getByText('None matched')).toBeDefined();
  expect(screen.getByText('Older than 7 days')).toBeDefined();
  expect(bodiesOf(calls, assignmentRules.save)).toEqual([]);

  await userEvent.click(screen.getByRole('switch', { name: 'Rest is on' }));

  expect(await screen.findByText('The rules have changed since this run.')).toBeDefined();
});

test('a rule whose group was deleted says so in the list and in a dry run', async () => {
  const orphan = rule({ assignee: { kind: 'GROUP', id: null }, assigneeName: '', fault: 'DELETED' });
  const study = { id: 's1', description: 'CT head', arrivedAt: '2026-11-29T22:10:00Z', rule: null, assignee: '' };
  const { calls } = open(
    [orphan],
    answer(assignmentRules.dryRun, () => ({
      arrived: 1,
      studies: [{ ...study, isOld: false, passed: [{ rule: 0, cause: 'DELETED' as const }] }],
    })),
  );
  const list = within(await screen.findByRole('list', { name: 'Assignment rules' }));
  expect(list.getByText('The group was deleted')).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Last 24 hours' }));

  expect(await screen.findByRole('row', { name: /CT head.*CT head at night: group was deleted/ })).toBeDefined();
  const summary = within(screen.getByRole('table', { name: 'Studies by rule' }));
  expect(summary.getByText('The group was deleted')).toBeDefined();
  expect(bodiesOf(calls, assignmentRules.dryRun)).toMatchObject([{ rules: [{ assignee: { id: null } }] }]);
});

test('a failed dry run shows why and can be repeated', async () => {
  open([rest], refuse(assignmentRules.dryRun, 403, 'You see only the studies of your groups.'));
  await userEvent.click(await screen.findByRole('button', { name: 'Last 24 hours' }));

  expect(await screen.findByText('You see only the studies of your groups.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
