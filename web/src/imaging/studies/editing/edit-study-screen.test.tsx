import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';
import { studyPageAnswers } from '#test/study-page.ts';
import { studyDetails } from '#test/studies.ts';

type Answers = Parameters<typeof visit>[1][];

const edit = async (answers: Answers = [], study = studyDetails()) => {
  signIn();
  const page = visit(
    `/studies/${study.id}/edit`,
    ...answers,
    answer(studies.get, () => study),
  );
  await screen.findByLabelText('Description');
  return { ...page, user: userEvent.setup() };
};

const sentTo = (calls: { method: string; body: unknown }[]) =>
  calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);

test('the study form shows the editable fields and the patient', async () => {
  await edit();

  expect(screen.getByRole('heading', { level: 1, name: 'Edit Study' })).toBeDefined();
  expect(screen.getByText('Phantom, Ada')).toBeDefined();
  const values = Object.fromEntries(
    ['Description', 'Accession number', 'Priority', 'Clinical history', 'Referring physician', 'Scheduled'].map(
      (label) => [label, screen.getByLabelText<HTMLInputElement>(label, { selector: 'input, textarea' }).value],
    ),
  );
  expect(values).toEqual({
    Description: 'CT angiography chest',
    'Accession number': 'A260006',
    Priority: 'URGENT',
    'Clinical history': 'Sudden dyspnoea, day 9 after knee replacement.',
    'Referring physician': 'Moreau, Elise',
    Scheduled: '2026-11-20 14:00',
  });
});

test('saving a study sends only changed fields, with the revision that was loaded', async () => {
  const update = vi.fn<() => StudyDetails>(() => studyDetails({ revision: 2 }));
  const { user, calls, address } = await edit([answer(studies.update, update)]);

  await user.clear(screen.getByLabelText('Description'));
  await user.type(screen.getByLabelText('Description'), 'CT chest');
  await user.clear(screen.getByLabelText('Scheduled'));
  await user.type(screen.getByLabelText('Scheduled'), '2026-11-21 08:30');
  await user.click(screen.getByRole('button', { name: 'Save' }));

  await waitFor(() => expect(address()).toBe(`/studies/${studyDetails().id}`));
  expect(sentTo(calls)).toEqual([{ revision: 1, description: 'CT chest', scheduledDateTime: '2026-11-21T08:30' }]);
  expect(screen.getByText('Study updated successfully')).toBeDefined();
});

test('a server error about a study appears at its field', async () => {
  const errors = [{ field: 'accessionNumber', message: 'Another study has this accession number' }];
  const { user } = await edit([refuse(studies.update, 422, 'Another study has this accession number', { errors })]);

  await user.type(screen.getByLabelText('Accession number'), '7');
  await user.click(screen.getByRole('button', { name: 'Save' }));

  const field = await screen.findByRole('textbox', { name: 'Accession number', description: /Another study/ });
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('invalid values of a study are not sent', async () => {
  const { user, calls } = await edit();

  await user.clear(screen.getByLabelText('Scheduled'));
  await user.type(screen.getByLabelText('Scheduled'), 'tomorrow');
  await user.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Use a date and time such as 2026-11-21 14:05')).toBeDefined();
  expect(sentTo(calls)).toEqual([]);
});

test('a failed save of a study shows a message in the form and keeps the typed text', async () => {
  const { user } = await edit([answer(studies.update, () => Promise.reject(new TypeError('Failed to fetch')))]);

  await user.type(screen.getByLabelText('Description'), ' again');
  await user.click(screen.getByRole('button', { name: 'Save' }));

  const notice = await within(screen.getByRole('main')).findByRole('alert');
  expect(notice.textContent).toBe('Error updating study');
  expect(screen.getByText(`Error updating study ${studyDetails().id}`)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('CT angiography chest again');
});

/**
 * Simulates another user who saves while this user edits. After that, the server accepts only changes based on the new
 * revision.
 */
const editBesideSomebody = async (othersChanges: Partial<StudyDetails>) => {
  let stored = studyDetails();
  const refusal = refuse(studies.update, 409, 'Another user changed the study. It is now at revision 2.');
  const acceptance = answer(studies.update, () => studyDetails({ revision: 3 }));
  const outcome: typeof refusal = {
    ...refusal,
    reply: (sent) => {
      if (stored.revision === 2) return acceptance.reply(sent);
      stored = studyDetails({ revision: 2, ...othersChanges });
      return refusal.reply(sent);
    },
  };
  signIn();
  const page = visit(
    `/studies/${stored.id}/edit`,
    outcome,
    answer(studies.get, () => stored),
    ...studyPageAnswers(stored),
  );
  await screen.findByLabelText('Description');
  const user = userEvent.setup();
  await user.clear(screen.getByLabelText('Description'));
  await user.type(screen.getByLabelText('Description'), 'CT lungs');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const notice = within(await within(screen.getByRole('main')).findByRole('alert'));
  return { ...page, user, notice };
};

test('if another user saved first, the form shows both versions and keeps the typed text', async () => {
  const { user, notice, calls } = await editBesideSomebody({ description: 'CT thorax', accessionNumber: 'B-1' });

  expect(document.activeElement?.textContent).toMatch(/^Another user changed the study/);
  expect(await notice.findByRole('radio', { name: 'Description, theirs: CT thorax' })).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('CT lungs');
  expect(screen.getByLabelText<HTMLInputElement>('Accession number').value).toBe('B-1');

  await user.click(screen.getByRole('button', { name: 'Save' }));

  await waitFor(() => expect(sentTo(calls)).toHaveLength(2));
  expect(sentTo(calls)[1]).toEqual({ revision: 2, description: 'CT lungs' });
});

test('the user can choose the saved version for each field in conflict', async () => {
  const { user, notice } = await editBesideSomebody({ description: 'CT thorax' });

  await user.click(await notice.findByRole('radio', { name: 'Description, theirs: CT thorax' }));

  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('CT thorax');
});

test('changes of two users to different fields are merged', async () => {
  const { notice } = await editBesideSomebody({ accessionNumber: 'B-1' });

  expect(await notice.findByText(/You and the other user changed different fields/)).toBeDefined();
  expect(notice.queryByRole('radio')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('CT lungs');
});

test('leaving the form with unsaved changes asks first', async () => {
  const { user, address } = await edit();
  await user.type(screen.getByLabelText('Description'), ' again');

  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText('Leave without saving?')).toBeDefined();
  await user.click(question.getByRole('button', { name: 'Cancel' }));

  expect(address()).toMatch(/\/edit$/);
  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('CT angiography chest again');
});

test('unsaved text of the form is restored after a crash', async () => {
  const first = await edit();
  await first.user.type(screen.getByLabelText('Description'), ' again');
  const storedEntries = Object.entries(localStorage);
  first.unmount();
  for (const [key, value] of storedEntries) localStorage.setItem(key, String(value));

  await edit();

  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('CT angiography chest again');
  expect(screen.getByText('Your unsaved entries were restored.')).toBeDefined();
});

test('a missing or inaccessible study cannot be edited', async () => {
  signIn();
  visit(`/studies/${studyDetails().id}/edit`, refuse(studies.get, 404, 'Study not found'));

  expect(await screen.findByText('Study not found')).toBeDefined();
});

test('a study that fails to load can be requested again', async () => {
  signIn();
  visit(`/studies/${studyDetails().id}/edit`, refuse(studies.get, 500, 'The database is being restarted'));

  const failure = within(await screen.findByRole('alert'));
  expect(failure.getByText('Error loading study details')).toBeDefined();
  expect(failure.getByRole('button', { name: 'Retry' })).toBeDefined();
});
