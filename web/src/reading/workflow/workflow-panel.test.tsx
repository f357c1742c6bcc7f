import { studyStatuses } from '@radwork/contract/imaging/study-status';
import { type StudyWork, workflow } from '@radwork/contract/reading/workflow';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { assignmentOf, historyOf, studyId, workOf } from '#test/study-work.ts';
import { localOf } from './due-date.tsx';
import { WorkflowPanel } from './workflow-panel.tsx';

const history = answer(workflow.history, () => historyOf([]));

const open = (work: StudyWork, ...answers: Parameters<typeof serve>) => {
  const calls = serve(
    ...answers,
    history,
    answer(workflow.read, () => work),
    answer(workflow.assignable, () => []),
  );
  show(<WorkflowPanel studyId={studyId} />);
  return { calls, sent: () => calls.filter(({ method }) => method !== 'GET') };
};

const workers = () => within(screen.getByRole('region', { name: 'Active Assignments' }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test.each(studyStatuses.map((status, index) => [status, [10, 20, 40, 95, 95, 100][index]] as const))(
  'a study with status %s is at %i percent',
  async (status, percent) => {
    open(workOf({ status }));

    const bar = await screen.findByRole('progressbar');

    expect(bar.getAttribute('value')).toBe(String(percent));
    expect(screen.getByText(`${percent} %`)).toBeDefined();
    expect(bar.hasAttribute('data-cancelled')).toBe(status === 'CANCELLED');
  },
);

test('a canceled study shows its status as text next to the gray bar', async () => {
  open(workOf({ status: 'CANCELLED' }));

  const part = within(await screen.findByRole('region', { name: 'Current Status' }));

  expect(part.getByText('Canceled')).toBeDefined();
});

test('a study without assignments shows a message', async () => {
  open(workOf());

  expect(await screen.findByText('No active assignments')).toBeDefined();
});

test('an assignment shows user, due date, start, assigner, note and whether it is overdue', async () => {
  const dueDate = new Date(2026, 10, 20, 9, 30).toISOString();
  open(workOf({ assignments: [assignmentOf('rex', { status: 'OVERDUE', dueDate, notes: 'Call back' })] }));

  const rex = within(await screen.findByRole('listitem', { name: 'Dr rex' }));

  expect(rex.getByText('Overdue')).toBeDefined();
  expect(rex.getByText('Due Nov 20, 2026 09:30')).toBeDefined();
  expect(rex.getByText(/^Since Nov 20, 2026 .*, by Dr Chief$/)).toBeDefined();
  expect(rex.getByText('Call back')).toBeDefined();
});

test('ended assignments are listed separately', async () => {
  open(
    workOf({
      assignments: [
        assignmentOf('rex'),
        assignmentOf('ida', { status: 'COMPLETED', completedAt: '2026-11-21T10:00:00Z' }),
        assignmentOf('max', { status: 'CANCELLED' }),
      ],
    }),
  );

  expect(await screen.findByText('2 earlier assignments')).toBeDefined();
  expect(workers().getByText('Removed')).toBeDefined();
  expect(workers().queryByText('No active assignments')).toBeNull();
});

test('two clicks set the next status, and a missing choice shows a message', async () => {
  const { sent } = open(
    workOf(),
    answer(workflow.changeStatus, () => workOf({ status: 'IN_PROGRESS' })),
  );
  const choice = await screen.findByLabelText('Next status');

  await press('Update');
  expect(await screen.findByText('Please select a status')).toBeDefined();
  expect(sent()).toEqual([]);
  await userEvent.selectOptions(choice, 'In progress');
  await press('Update');

  expect(await screen.findByText('Status updated successfully')).toBeDefined();
  expect(sent()[0]?.url.searchParams.get('newStatus')).toBe('IN_PROGRESS');
});

test('a refused status change shows its message next to the current status', async () => {
  const words = 'The study is now Canceled and cannot become In progress';
  let work = workOf();
  serve(
    refuse(workflow.changeStatus, 409, words),
    answer(workflow.read, () => work),
    history,
  );
  show(<WorkflowPanel studyId={studyId} />);

  await userEvent.selectOptions(await screen.findByLabelText('Next status'), 'In progress');
  work = workOf({ status: 'CANCELLED' });
  await press('Update');

  const status = within(screen.getByRole('region', { name: 'Current Status' }));
  expect((await status.findByRole('alert')).textContent).toBe(words);
  await waitFor(() =>
    expect(Array.from(screen.getByLabelText('Next status').querySelectorAll('option'), (one) => one.value)).toEqual([
      '',
      'ARCHIVED',
    ]),
  );
});

test('removing an assignment asks for confirmation, with name and consequences', async () => {
  let work = workOf({ status: 'ASSIGNED', assignments: [assignmentOf('rex')] });
  const remove = answer(workflow.removeAssignment, () => (work = workOf()));
  const { sent } = open(
    work,
    remove,
    answer(workflow.read, () => work),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
  const question = within(await screen.findByRole('dialog', { name: 'Remove assignment for rex?' }));
  expect(question.getByText(/returns to Pending/)).toBeDefined();
  expect(sent()).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Remove assignment' }));

  expect(await screen.findByText('Assignment removed successfully')).toBeDefined();
  expect(sent()[0]?.url.pathname).toBe(`/api/workflow/studies/${studyId}/assignments/id-of-rex`);
  expect(await screen.findByText('No active assignments')).toBeDefined();
});

test('access from an ended assignment is removed after a confirmation that names the consequences', async () => {
  const ended = { status: 'COMPLETED', keepsAccess: true } as const;
  let work = workOf({ assignments: [assignmentOf('ida', ended), assignmentOf('max', { status: 'CANCELLED' })] });
  const take = answer(workflow.removeAssignment, () => (work = workOf()));
  const { sent } = open(
    work,
    take,
    answer(workflow.read, () => work),
  );

  await userEvent.click(await screen.findByText('2 earlier assignments'));
  await userEvent.click(screen.getByRole('button', { name: 'Remove access' }));
  const question = within(await screen.findByRole('dialog', { name: 'Remove access of Dr ida?' }));
  expect(question.getByText(/^The assignment has ended\./)).toBeDefined();
  expect(sent()).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Remove access' }));

  expect(await screen.findByText('Access removed successfully')).toBeDefined();
  const [{ url } = { url: new URL('http://none') }] = sent();
  expect(`${url.pathname}${url.search}`).toBe(`/api/workflow/studies/${studyId}/assignments/id-of-ida?state=ENDED`);
});

test('canceling the confirmation removes no assignment', async () => {
  const { sent } = open(workOf({ assignments: [assignmentOf('rex')] }));

  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));

  expect(sent()).toEqual([]);
});

test('a due date can be extended to a later date with its time zone', async () => {
  const before = new Date(2126, 10, 20, 9, 0);
  const { sent } = open(
    workOf({ assignments: [assignmentOf('rex', { dueDate: before.toISOString() })] }),
    answer(workflow.extend, () => workOf()),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Extend' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Extend due date' }));
  const extendTo = async (date: Date) => {
    fireEvent.change(dialog.getByLabelText(/^New due date/), { target: { value: localOf(date) } });
    await userEvent.click(dialog.getByRole('button', { name: 'Extend due date' }));
  };

  await extendTo(new Date(2020, 0, 1));
  expect(await dialog.findByText('Due date must be in the future')).toBeDefined();
  await extendTo(new Date(2126, 10, 19, 9, 0));
  expect(await dialog.findByText('Due date must be later than the current due date')).toBeDefined();
  expect(sent()).toEqual([]);
  await extendTo(new Date(2126, 10, 21, 9, 0));

  expect(await screen.findByText('Due date extended successfully')).toBeDefined();
  expect(sent()[0]?.body).toEqual({ dueDate: new Date(2126, 10, 21, 9, 0).toISOString() });
});

test('an assignment can be completed with a note', async () => {
  const { sent } = open(
    workOf({ assignments: [assignmentOf('rex')] }),
    answer(workflow.complete, () => workOf({ assignments: [assignmentOf('rex', { status: 'COMPLETED' })] })),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Complete assignment' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Notes' }), 'Read');
  await userEvent.click(dialog.getByRole('button', { name: 'Complete assignment' }));

  expect(await screen.findByText('Assignment completed successfully')).toBeDefined();
  expect(sent()[0]?.body).toEqual({ notes: 'Read' });
});

test.each([
  ['Remove', workflow.removeAssignment, 'Remove assignment', 'Error removing assignment'],
  ['Complete', workflow.complete, 'Complete assignment', 'Error completing assignment'],
] as const)('a failed %s shows a default message if the server gives none', async (act, { method }, verb, words) => {
  open(workOf({ assignments: [assignmentOf('rex')] }), {
    method,
    path: /id-of-rex/,
    reply: () => new Response('<html>', { status: 502 }),
  });

  await userEvent.click(await screen.findByRole('button', { name: act }));
  await userEvent.click(await screen.findByRole('button', { name: verb }));

  expect(await screen.findByText(words)).toBeDefined();
});

test('a failed extension of a due date shows a default message if the server gives none', async () => {
  open(workOf({ assignments: [assignmentOf('rex')] }), {
    method: workflow.extend.method,
    path: /id-of-rex/,
    reply: () => new Response('<html>', { status: 502 }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Extend' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Extend due date' }));

  fireEvent.change(dialog.getByLabelText(/^New due date/), { target: { value: localOf(new Date(2126, 10, 21)) } });
  await userEvent.click(dialog.getByRole('button', { name: 'Extend due date' }));

  expect(await screen.findByText('Error extending due date')).toBeDefined();
});

test('a user without the permission sees the workflow and the reason, and may complete own assignments', async () => {
  const mine = assignmentOf('mona', { user: { ...assignmentOf('mona').user, id: 'u1' } });
  const no = 'You do not have permission to do this';
  open(
    workOf({
      moves: [],
      assignments: [mine, assignmentOf('rex')],
      refusals: { status: no, assigning: no, assigner: no, reinstating: no },
    }),
  );

  const own = within(await screen.findByRole('listitem', { name: 'Dr mona' }));
  const other = within(screen.getByRole('listitem', { name: 'Dr rex' }));

  expect(own.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Complete']);
  expect(other.queryAllByRole('button')).toEqual([]);
  expect(screen.queryByLabelText('Next status')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Assign users' })).toBeNull();
  expect(screen.getAllByText(no)).toHaveLength(2);
});

test('the key S opens the status dialog, and A the assignment dialog', async () => {
  open(workOf());
  await screen.findByText('No active assignments');

  await userEvent.keyboard('s');
  await screen.findByRole('dialog', { name: 'Update status' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.keyboard('a');

  expect(await screen.findByRole('dialog', { name: 'Assign users' })).toBeDefined();
});

test('a workflow that fails to load shows a retry, and its history still loads', async () => {
  serve(refuse(workflow.read, 500, 'Server error occurred'), history);
  show(<WorkflowPanel studyId={studyId} />);

  const alert = within(await screen.findByRole('alert'));

  expect(alert.getByText('Error loading workflow')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
  expect(await screen.findByText('No history available')).toBeDefined();
});
