import { webcrypto } from 'node:crypto';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { clearSession, saveSession } from '#core/state/session.ts';
import { until } from '#test/eventually.ts';
import { FakeRequest } from '#test/fake-request.ts';
import { answerBytes, sessionOf, signIn } from '#test/screen.tsx';
import { file, haveWhatUploadsNeed, openScreen, respond, roe, slowFile } from '#test/upload-screen.tsx';

haveWhatUploadsNeed();

test('after Cancel, the screen names files that may have arrived and locks de-identification', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));
  await until(() => FakeRequest.last);

  await user.click(screen.getByRole('button', { name: 'Cancel' }));

  expect((await screen.findByRole('alert')).textContent).toBe(
    '1 file may already be in the archive. Send it again to be sure; it is not stored twice.',
  );
  expect(screen.getByText('May already be stored')).toBeDefined();
  expect(screen.getByRole('switch', { name: /^De-identify before sending/ }).hasAttribute('disabled')).toBe(true);
});

/** Response that never arrives. Rejects when the request is aborted. */
const untilGivenUp = (signal: AbortSignal | undefined) =>
  new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('given up'))));

test('while the upload looks for stored files in the archive, it can be canceled but not changed', async () => {
  vi.stubGlobal('crypto', webcrypto);
  const { user, input, study } = await openScreen(
    answerBytes('/api/qido-rs/studies/:study/instances', ({ signal }) => untilGivenUp(signal)),
  );
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));
  await respond({ stored: [{ name: '0', studyId: study.id }], refused: [] });
  await waitFor(() => expect(localStorage.getItem('uploaded-files')).not.toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Clear list' }));
  FakeRequest.last = undefined;

  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));

  expect(await screen.findByText('Checking stored files…')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Clear list' })).toBeNull();
  expect(screen.getByRole('switch', { name: /^De-identify before sending/ }).hasAttribute('disabled')).toBe(true);

  await user.click(screen.getByRole('button', { name: 'Cancel' }));

  expect(await screen.findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
  expect(FakeRequest.last).toBeUndefined();
});

test('a session that ends before sending keeps the list, the study data and the left-out files', async () => {
  const { user, input, router } = await openScreen();
  await user.upload(input, [file('IM1'), new File(['Autorun of the disc'], 'autorun.inf')]);
  await user.type(await screen.findByLabelText('Study UID'), '2.25.101');

  act(() => clearSession('session.ended'));
  expect(await screen.findByRole('heading', { name: /sign in/i })).toBeDefined();
  signIn();
  await router.navigate({ to: '/studies/create' });

  expect(await screen.findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Study UID').value).toBe('2.25.101');
  expect(screen.getByText('1 file left out')).toBeDefined();
});

test.each([
  ['with other files in the list', [file('IM1')], 'Upload 1 file'],
  ['with an empty list', [], 'Upload'],
])('if the session ends while files are read, the user must choose the files again: %s', async (_, list, verb) => {
  const { user, input, router } = await openScreen();
  const { slow, arrive } = slowFile('IM2', { SOPInstanceUID: '2.25.104' });
  await user.upload(input, list);
  await screen.findByRole('button', { name: verb });
  await user.upload(input, [slow]);
  await screen.findByText(/^Reading files/);

  act(() => clearSession('session.ended'));
  expect(await screen.findByRole('heading', { name: /sign in/i })).toBeDefined();
  arrive();
  signIn();
  await router.navigate({ to: '/studies/create' });

  expect((await screen.findByRole('alert')).textContent).toBe(
    'This screen closed before all files were read. The files are not in the list. Choose them again.',
  );
  expect(screen.getByRole('button', { name: verb })).toBeDefined();
});

test('another user who signs in does not see the list, and its owner gets it back', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);
  expect(await screen.findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
  const another = sessionOf();

  act(() => saveSession({ ...another, user: { ...another.user, id: 'u2' } }));
  await waitFor(() => expect(screen.queryByText(/^Doe, Jane/)).toBeNull());
  expect(await screen.findByLabelText('DICOM files')).toBeDefined();

  act(() => void signIn());
  expect(await screen.findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
});

test('a user who loses the upload permission sees a message, and later gets the list back', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));
  await until(() => FakeRequest.last);
  const session = sessionOf();

  act(() => saveSession({ ...session, roles: [] }));
  expect(
    await screen.findByText(/^The upload stopped because you no longer have the permission to upload/),
  ).toBeDefined();

  act(() => saveSession(session));
  expect(await screen.findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
  expect(screen.getByText('May already be stored')).toBeDefined();
});

test('the list of names includes removed patients whose files may have arrived', async () => {
  const saved: Blob[] = [];
  const createObjectURL = (blob: Blob) => `blob:${saved.push(blob)}`;
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} }));
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1'), file('IM2', roe)]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));
  await user.click(screen.getByRole('button', { name: 'Upload 2 files' }));
  await until(() => FakeRequest.last);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));

  await user.click(await screen.findByRole('button', { name: 'Remove IM1 from the list' }));
  await user.click(screen.getByRole('button', { name: 'Remove IM2 from the list' }));
  await user.click(screen.getByRole('button', { name: 'Save list of names' }));

  const names = await saved[0]?.text();
  expect(names).toContain('Doe, Jane');
  expect(names).toContain('Roe, Richard');
});

/** Uploads one de-identified file of Jane Doe, without saving the list of names. */
const storeDeidentified = async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:names', revokeObjectURL: () => {} }));
  const page = await openScreen();
  const { user, input, study } = page;
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));
  expect(screen.getByText('A de-identified upload cannot be continued after you leave this page.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Upload 1 file' }));
  await respond({ stored: [{ name: '0', studyId: study.id }], refused: [] });
  expect(await screen.findByText('1 of 1 files uploaded')).toBeDefined();
  return page;
};

test('leaving before saving the list of names asks first', async () => {
  const { user, address } = await storeDeidentified();

  await user.click(screen.getByRole('link', { name: 'Reports' }));
  const question = await screen.findByRole('dialog', { name: 'Leave without saving the list of names?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(address()).toBe('/studies/create');

  await user.click(screen.getByRole('button', { name: 'Save list of names' }));
  await user.click(screen.getByRole('link', { name: 'Reports' }));
  await waitFor(() => expect(address()).toMatch(/^\/reports/));
});

test('clearing the list before saving the list of names asks first', async () => {
  const { user } = await storeDeidentified();

  await user.click(screen.getByRole('button', { name: 'Clear list' }));
  const question = await screen.findByRole('dialog', { name: 'Clear without saving the list of names?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('1 of 1 files uploaded')).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Save list of names' }));
  await user.click(screen.getByRole('button', { name: 'Clear list' }));
  await waitFor(() => expect(screen.queryByText('1 of 1 files uploaded')).toBeNull());
});

test('after the list of names is saved, a patient who is removed and added again is missing in it', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:names', revokeObjectURL: () => {} }));
  const { user, input, study } = await openScreen();
  await user.upload(input, [file('IM1'), file('IM2', roe)]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));
  await user.click(screen.getByRole('button', { name: 'Remove IM2 from the list' }));
  await user.click(screen.getByRole('button', { name: 'Save list of names' }));
  await user.upload(input, [file('IM2', roe)]);
  await user.click(await screen.findByRole('button', { name: 'Upload 2 files' }));
  await respond({ stored: ['0', '1'].map((name) => ({ name, studyId: study.id })), refused: [] });
  expect(await screen.findByText('2 of 2 files uploaded')).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Clear list' }));

  const question = await screen.findByRole('dialog', { name: 'Clear without saving the list of names?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
});

test('a patient added after the list of names was saved makes the saved list incomplete', async () => {
  const { user, input } = await storeDeidentified();
  await user.click(screen.getByRole('button', { name: 'Save list of names' }));

  await user.upload(input, [file('IM2', roe)]);
  expect(await screen.findByRole('button', { name: 'Continue with 1 file' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Clear list' }));

  expect(await screen.findByRole('dialog', { name: 'Clear without saving the list of names?' })).toBeDefined();
});

test('leaving during a de-identified upload warns that the upload cannot be continued', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));
  await user.click(screen.getByRole('button', { name: 'Upload 1 file' }));
  await until(() => FakeRequest.last);

  await user.click(screen.getByRole('link', { name: 'Reports' }));

  const question = await screen.findByRole('dialog', { name: 'Leave during the upload?' });
  expect(question.textContent).toContain('cannot be continued');
  expect(question.textContent).toContain('The list of names has not been saved');
});
