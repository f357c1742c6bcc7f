import { studies } from '@radwork/contract/imaging/studies';
import type { DeletedStudy } from '@radwork/contract/imaging/study-rows';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { openStudies, pageOf, study } from '#test/study-list.tsx';

const deleted = (overrides: Partial<DeletedStudy> = {}): DeletedStudy => ({
  ...study(),
  deletedDate: '2026-11-20T12:00:00Z',
  purgeDate: '2026-12-20T12:00:00Z',
  deletedBy: 'a.admin',
  earlyPurge: null,
  refusedFiles: 0,
  refusedDate: '',
  ...overrides,
});

const binOf = (content: DeletedStudy[], total = content.length) => ({ ...pageOf([], total, 0, 25), content });

const openBin = async (...answers: ReturnType<typeof answer>[]) => {
  signIn('ADMIN');
  const view = visit('/studies/deleted', ...answers);
  await screen.findByRole('heading', { name: 'Recycle bin' });
  return view;
};

test('the recycle bin lists each deleted study with user, time and end of retention', async () => {
  await openBin(answer(studies.deleted, () => binOf([deleted()])));

  const row = within(await screen.findByRole('row', { name: /Bergström, Chidi MRN1/ }));

  expect(row.getByRole('cell', { name: 'CT Angiography Chest' })).toBeDefined();
  expect(row.getByRole('cell', { name: 'a.admin' })).toBeDefined();
  expect(row.getByRole('cell', { name: /^2026-11-20 \d\d:00$/ })).toBeDefined();
  expect(row.getByRole('cell', { name: /^2026-12-20 \d\d:00$/ })).toBeDefined();
  expect(screen.getByText('Showing 1 to 1 of 1 entries')).toBeDefined();
});

test('a restored study leaves the recycle bin', async () => {
  let isDeleted = true;
  await openBin(
    answer(studies.deleted, () => binOf(isDeleted ? [deleted()] : [])),
    answer(studies.restore, () => {
      isDeleted = false;
      return studyDetails();
    }),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Restore study of Bergström, Chidi' }));

  expect(await screen.findByText('Study restored successfully')).toBeDefined();
  expect(await screen.findByText('The recycle bin is empty')).toBeDefined();
});

test('a study that cannot be restored stays in the recycle bin, with the reason', async () => {
  const message = 'Another study now has this accession number';
  await openBin(
    answer(studies.deleted, () => binOf([deleted()])),
    refuse(studies.restore, 409, message),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Restore study of Bergström, Chidi' }));

  expect(await screen.findByText(message)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Restore study of Bergström, Chidi' })).toBeDefined();
});

test('the key R restores the focused study', async () => {
  const { calls } = await openBin(
    answer(studies.deleted, () => binOf([deleted()])),
    answer(studies.restore, () => studyDetails()),
  );
  await screen.findByRole('row', { name: /Bergström, Chidi/ });

  await userEvent.keyboard('jr');

  await waitFor(() =>
    expect(calls.some(({ url }) => url.pathname === `/api/studies/${study().id}/restore`)).toBe(true),
  );
});

test('an expanded row of the recycle bin shows details that identify the study', async () => {
  await openBin(answer(studies.deleted, () => binOf([deleted()])));

  await userEvent.click(await screen.findByRole('button', { name: 'Show contents' }));

  expect(screen.getByText('212')).toBeDefined();
  expect(screen.getByText('1.2.3')).toBeDefined();
});

test('a recycle bin that fails to load shows the reason and a retry button', async () => {
  await openBin(refuse(studies.deleted, 500, 'Server error occurred'));

  const alert = within(await screen.findByRole('alert'));

  expect(alert.getByText('Error fetching deleted studies')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('the address contains the page of the recycle bin', async () => {
  const { address } = await openBin(answer(studies.deleted, () => binOf([deleted()], 60)));

  await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }));

  await waitFor(() => expect(address()).toBe('/studies/deleted?page=1'));
});

test('users who may delete studies can open the recycle bin from the study list', async () => {
  const { address } = await openStudies('/studies', () => pageOf([study()]), {
    as: 'ADMIN',
    answers: [answer(studies.deleted, () => binOf([]))],
  });

  await userEvent.click(await screen.findByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Recycle bin' }));

  await waitFor(() => expect(address()).toBe('/studies/deleted'));
  expect(await screen.findByText('The recycle bin is empty')).toBeDefined();
});

test('rows do not move when another user deletes a study, and R restores the focused study', async () => {
  const deletedStudy = (id: string, patientName: string) =>
    deleted({ id, patient: { ...study().patient, patientName } });
  let content = [deletedStudy('s1', 'One'), deletedStudy('s2', 'Two')];
  const { calls, client } = await openBin(
    answer(studies.deleted, () => binOf(content)),
    answer(studies.restore, () => studyDetails()),
  );
  await screen.findByRole('row', { name: /Two/ });
  await userEvent.keyboard('jj');

  content = [deletedStudy('s3', 'New'), ...content];
  await act(() => client.invalidateQueries({ queryKey: ['studies'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  const names = screen.getAllByRole('rowheader').map(({ textContent }) => /One|Two|New/.exec(textContent ?? '')?.[0]);
  expect(names).toEqual(['One', 'Two']);
  await userEvent.keyboard('r');
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'POST').map(({ url }) => url.pathname)).toContain(
      '/api/studies/s2/restore',
    ),
  );
});

test('pressing Restore twice restores one study, and its row stays, marked as no longer in the list', async () => {
  const deletedStudy = (id: string, patientName: string) =>
    deleted({ id, patient: { ...study().patient, patientName } });
  let content = [deletedStudy('s1', 'One'), deletedStudy('s2', 'Two')];
  const { calls } = await openBin(
    answer(studies.deleted, () => binOf(content)),
    answer(studies.restore, () => {
      content = content.slice(1);
      return studyDetails();
    }),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Restore study of One' }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  const first = within(screen.getByRole('row', { name: /One/ }));
  expect(first.getByText('No longer in this list')).toBeDefined();
  expect(first.queryByRole('button', { name: /^Restore/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Restore study of Two' })).toBeDefined();
  await userEvent.keyboard('r');
  const restored = calls.filter(({ method, url }) => method === 'POST' && url.pathname.startsWith('/api/studies/'));
  expect(restored.map(({ url }) => url.pathname)).toEqual(['/api/studies/s1/restore']);
});

const openMore = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'More actions for study of Bergström, Chidi' }));

test('allowing a replacement requires a reason and says what will be lost', async () => {
  const { calls } = await openBin(
    answer(studies.deleted, () => binOf([deleted()])),
    answer(studies.allowReplacement, () => undefined),
  );

  await openMore();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Allow replacement' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/212 images, all draft reports and the chat of this study are lost for good/)).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Allow replacement' }));
  expect(dialog.getByText('Reason is required')).toBeDefined();
  await userEvent.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Wrong ID');
  await userEvent.click(dialog.getByRole('button', { name: 'Allow replacement' }));

  expect(await screen.findByText('Replacement allowed')).toBeDefined();
  const sent = calls.find(({ url }) => url.pathname.endsWith('/replacement'));
  expect([sent?.url.pathname, sent?.body]).toEqual([`/api/studies/${study().id}/replacement`, { reason: 'Wrong ID' }]);
});

const requested = (isOwn: boolean) =>
  deleted({
    earlyPurge: { kind: 'PURGE', reason: 'Test', requestedBy: 'b.admin', requestedDate: '2026-11-21T12:00:00Z', isOwn },
  });

test('a second user confirms a requested purge, after a question that says what will be lost', async () => {
  const { calls } = await openBin(
    answer(studies.deleted, () => binOf([requested(false)])),
    answer(studies.confirmPurge, () => undefined),
  );
  expect(await screen.findByText('Purge requested')).toBeDefined();

  await openMore();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Confirm purge' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/A purge cannot be undone/)).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Purge study' }));

  expect(await screen.findByText('Study purged')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname.endsWith('/purge/confirmation'))).toBe(true);
});

test('the user who requested a purge cannot confirm it', async () => {
  await openBin(answer(studies.deleted, () => binOf([requested(true)])));

  await openMore();

  const item = await screen.findByRole('menuitem', { name: 'Waiting for a second user' });
  expect(item.hasAttribute('disabled') || item.dataset['disabled'] === 'true').toBe(true);
});

test('the recycle bin shows that images of a deleted study were sent again', async () => {
  await openBin(
    answer(studies.deleted, () => binOf([deleted({ refusedFiles: 3, refusedDate: '2026-11-21T12:00:00Z' })])),
  );

  expect(await screen.findByText('Images sent again')).toBeDefined();
  await userEvent.click(await screen.findByRole('button', { name: 'Show contents' }));
  expect(screen.getByText(/^3 files, last on 2026-11-21/)).toBeDefined();
});
