import { type AssignableUser, workflow } from '@radwork/contract/reading/workflow';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { studyId, workOf } from '#test/study-work.ts';
import { AssignDialog } from './assign-dialog.tsx';
import { localOf } from './due-date.tsx';

const rex: AssignableUser = {
  id: 'id-of-rex',
  username: 'rex',
  name: 'Rex Reader',
  userType: 'RADIOLOGIST',
  specialization: 'Thorax',
  department: 'CT',
};
const elise: AssignableUser = {
  ...rex,
  id: 'id-of-elise',
  username: 'elise',
  name: 'Elise Moreau',
  userType: 'REFERRING_PHYSICIAN',
};

const work = answer(workflow.read, () => workOf());
const people = answer(workflow.assignable, ({ url }) =>
  [elise, rex].filter(
    ({ name, userType }) =>
      name.toLowerCase().includes(url.searchParams.get('query') ?? '') &&
      (url.searchParams.get('userType') ?? userType) === userType,
  ),
);

const open = (...answers: Parameters<typeof serve>) => {
  const calls = serve(...answers);
  const onClose = vi.fn<() => void>();
  show(<AssignDialog studyId={studyId} opened onClose={onClose} />);
  const searches = () => calls.filter(({ url }) => url.pathname === '/api/users/assignable').map(({ url }) => url);
  return { calls, onClose, searches, sent: () => calls.filter(({ method }) => method !== 'GET') };
};

const choose = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }));
const assign = () => userEvent.click(screen.getByRole('button', { name: 'Assign users' }));
const setDue = (date: Date) => {
  fireEvent.change(screen.getByLabelText('Due date'), { target: { value: localOf(date) } });
};

test('the dialog assigns several users, with a note and a due date that shows its time zone', async () => {
  const { sent, onClose } = open(
    work,
    people,
    answer(workflow.assign, () => workOf({ status: 'ASSIGNED' })),
  );
  const due = new Date(2126, 10, 25, 14, 0);

  await choose('Rex Reader, rex');
  await choose('Elise Moreau, elise');
  setDue(due);
  await userEvent.type(screen.getByRole('textbox', { name: 'Notes' }), 'Before the ward round');
  await assign();

  expect(await screen.findByText('Users assigned successfully')).toBeDefined();
  expect(sent()[0]?.body).toEqual({
    userIds: ['id-of-rex', 'id-of-elise'],
    dueDate: due.toISOString(),
    notes: 'Before the ward round',
  });
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

test('the focus of the dialog moves to the user search, even if the study loads late', async () => {
  const known = Promise.withResolvers<void>();
  open(
    people,
    answer(workflow.read, () => known.promise.then(() => workOf())),
  );
  await waitFor(() => expect(document.activeElement?.tagName).toBe('BUTTON'));

  known.resolve();

  const search = await screen.findByRole('searchbox');
  await waitFor(() => expect(document.activeElement).toBe(search));
});

test('assigning without a chosen user sends nothing', async () => {
  const { sent } = open(work, people);
  await screen.findByRole('checkbox', { name: 'Rex Reader, rex' });

  await assign();

  expect(await screen.findByText('Please select at least one user')).toBeDefined();
  expect(sent()).toEqual([]);
});

test('a due date in the past is refused before it is sent', async () => {
  const { sent } = open(work, people);
  await choose('Rex Reader, rex');

  setDue(new Date(2020, 0, 1));
  await assign();

  expect(await screen.findByText('Due date must be in the future')).toBeDefined();
  expect(sent()).toEqual([]);
});

test('typing searches for users after a pause, and chosen users stay chosen', async () => {
  const { searches, sent } = open(
    work,
    people,
    answer(workflow.assign, () => workOf()),
  );
  await choose('Elise Moreau, elise');

  await userEvent.type(screen.getByLabelText('Search users'), 'rex{Enter}');
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Elise Moreau, elise' })).toBeNull());
  await choose('Rex Reader, rex');
  await userEvent.click(screen.getByRole('button', { name: 'Remove Elise Moreau' }));
  await assign();

  await waitFor(() => expect(sent()[0]?.body).toMatchObject({ userIds: ['id-of-rex'], dueDate: null }));
  expect(searches().map(({ searchParams }) => searchParams.get('query'))).toEqual([
    null,
    'rex',
    ...Array(1).fill('rex'),
  ]);
});

test('the list of users can be limited to one user type', async () => {
  open(work, people);
  await screen.findByRole('checkbox', { name: 'Elise Moreau, elise' });

  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Radiologists');

  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Elise Moreau, elise' })).toBeNull());
  expect(screen.getByRole('checkbox', { name: 'Rex Reader, rex' })).toBeDefined();
});

test('the dialog shows a message if no user is available', async () => {
  open(
    work,
    answer(workflow.assignable, () => []),
  );

  expect(await screen.findByText('No available users found. All users may already be assigned.')).toBeDefined();
});

test('users that fail to load show a retry', async () => {
  const { searches } = open(work, refuse(workflow.assignable, 500, 'Server error occurred'));

  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Error loading available users')).toBeDefined();
  await userEvent.click(alert.getByRole('button', { name: 'Retry' }));

  await waitFor(() => expect(searches()).toHaveLength(2));
});

test('the dialog reports a user whom a colleague assigned meanwhile, and fetches the list again', async () => {
  const words = 'The study is already assigned to rex. No user was assigned.';
  const { searches, onClose } = open(work, people, refuse(workflow.assign, 409, words));

  await choose('Rex Reader, rex');
  await assign();

  expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toBe(words);
  await waitFor(() => expect(searches()).toHaveLength(2));
  expect(onClose).not.toHaveBeenCalled();
});

test('a failed assignment shows a default message if the server gives none', async () => {
  const { onClose } = open(work, people, {
    method: workflow.assign.method,
    path: /assignments$/,
    reply: () => new Response('<html>', { status: 502 }),
  });
  await choose('Rex Reader, rex');

  await assign();

  expect(await screen.findByText('Error assigning users')).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
});

test('the dialog shows why a study cannot be assigned', async () => {
  const assigning = 'The study is Completed. No user can be assigned to it.';
  open(answer(workflow.read, () => workOf({ status: 'COMPLETED', refusals: { ...workOf().refusals, assigning } })));

  expect(await screen.findByText(assigning)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Assign users' })).toBeNull();
});
