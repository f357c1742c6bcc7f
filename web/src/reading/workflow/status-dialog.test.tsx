import { workflow } from '@radwork/contract/reading/workflow';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { studyId, workOf } from '#test/study-work.ts';
import { StatusDialog } from './status-dialog.tsx';

const open = (...answers: Parameters<typeof serve>) => {
  const calls = serve(...answers);
  const onClose = vi.fn<() => void>();
  show(<StatusDialog studyId={studyId} opened onClose={onClose} />);
  return { calls, onClose, sent: () => calls.filter(({ method }) => method !== 'GET') };
};

const choose = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('the status dialog offers only allowed transitions', async () => {
  open(answer(workflow.read, () => workOf({ status: 'IN_PROGRESS' })));

  const offered = await screen.findAllByRole('radio');

  expect(offered.map((one) => one.getAttribute('value'))).toEqual(['COMPLETED', 'CANCELLED']);
  expect(within(screen.getByRole('dialog')).getByText('In progress')).toBeDefined();
});

test('the first available status gets the focus, even if the study loads late', async () => {
  const work = Promise.withResolvers<void>();
  open(answer(workflow.read, () => work.promise.then(() => workOf({ status: 'IN_PROGRESS' }))));
  await waitFor(() => expect(document.activeElement?.tagName).toBe('BUTTON'));

  work.resolve();

  const first = await screen.findByRole('radio', { name: 'Completed' });
  await waitFor(() => expect(document.activeElement).toBe(first));
});

test('the focus starts at the reason when a user reinstates a study', async () => {
  open(
    answer(workflow.read, () =>
      workOf({ status: 'CANCELLED', refusals: { status: null, assigning: null, assigner: null, reinstating: null } }),
    ),
  );

  const reason = await screen.findByRole('textbox', { name: 'Reason' });

  await waitFor(() => expect(document.activeElement).toBe(reason));
});

test('the status dialog sends nothing without a new status', async () => {
  const { sent } = open(answer(workflow.read, () => workOf()));
  await screen.findAllByRole('radio');

  await press('Update status');

  expect(await screen.findByText('Please select a new status')).toBeDefined();
  expect(sent()).toEqual([]);
});

test('the new status is sent with comment and revision, and the dialog closes', async () => {
  const { sent, onClose } = open(
    answer(workflow.read, () => workOf()),
    answer(workflow.changeStatus, () => workOf({ status: 'IN_PROGRESS' })),
  );

  await choose('In progress');
  await userEvent.type(screen.getByRole('textbox', { name: 'Comments' }), 'Reading now');
  await press('Update status');

  expect(await screen.findByText('Status updated successfully')).toBeDefined();
  expect(sent()[0]?.url.searchParams.toString()).toBe('newStatus=IN_PROGRESS&comments=Reading+now&revision=3');
  expect(sent()[0]?.body).toBeUndefined();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

test('after a conflict, the user sees the current status and chooses again with the same comment', async () => {
  let work = workOf();
  const { onClose } = open(
    answer(workflow.read, () => work),
    refuse(workflow.changeStatus, 409, 'The study is now In progress and cannot become Assigned'),
  );
  await choose('Assigned');
  await userEvent.type(screen.getByRole('textbox', { name: 'Comments' }), 'For Rex');
  work = workOf({ status: 'IN_PROGRESS', revision: 4 });
  await press('Update status');

  const words = await within(screen.getByRole('dialog')).findByRole('alert');
  expect(words.textContent).toBe('The study is now In progress and cannot become Assigned');
  const offered = await screen.findByRole('radio', { name: 'Completed' });
  expect(offered).toHaveProperty('checked', false);
  expect(screen.queryByRole('radio', { name: 'Assigned' })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Comments' })).toHaveProperty('value', 'For Rex');
  expect(onClose).not.toHaveBeenCalled();
});

test("a status change by another user appears, but the request sends the revision of the user's choice", async () => {
  let work = workOf();
  const calls = serve(
    answer(workflow.read, () => work),
    answer(workflow.changeStatus, () => work),
  );
  const client = new QueryClient();
  show(
    <QueryClientProvider client={client}>
      <StatusDialog studyId={studyId} opened onClose={() => {}} />
    </QueryClientProvider>,
  );
  await choose('Canceled');

  work = workOf({ status: 'IN_PROGRESS', revision: 4 });
  void client.invalidateQueries();
  await screen.findByRole('radio', { name: 'Completed' });
  await press('Update status');

  await waitFor(() => {
    const sent = calls.find(({ method }) => method === 'PUT');
    expect(sent?.url.searchParams.get('revision')).toBe('3');
  });
});

test('a failed status change shows a default message if the server gives none', async () => {
  open(
    answer(workflow.read, () => workOf()),
    { method: 'PUT', path: /status$/, reply: () => new Response('<html>', { status: 502 }) },
  );

  await choose('Canceled');
  await press('Update status');

  expect(await screen.findByText('Error updating study status')).toBeDefined();
});

test('a status that cannot change shows the reason', async () => {
  const refusals = { ...workOf().refusals, status: 'The study is Archived. Its status cannot change.' };
  open(answer(workflow.read, () => workOf({ status: 'ARCHIVED', refusals })));

  expect(await screen.findByText('The study is Archived. Its status cannot change.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Update status' })).toBeNull();
});

test('a study canceled by mistake is reinstated with a reason', async () => {
  const refusals = { ...workOf().refusals, reinstating: null };
  const { sent } = open(
    answer(workflow.read, () => workOf({ status: 'CANCELLED', refusals })),
    answer(workflow.reinstate, () => workOf({ status: 'ASSIGNED' })),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Reinstate study' }));
  expect(await screen.findByText('Reason is required')).toBeDefined();
  expect(sent()).toEqual([]);
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Wrong study');
  await press('Reinstate study');

  expect(await screen.findByText('Status updated successfully')).toBeDefined();
  expect(sent()[0]?.body).toEqual({ reason: 'Wrong study' });
});

test('a workflow that fails to load shows a retry', async () => {
  open(refuse(workflow.read, 500, 'Server error occurred'));

  const alert = within(await screen.findByRole('alert'));

  expect(alert.getByText('Error updating status')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
});
