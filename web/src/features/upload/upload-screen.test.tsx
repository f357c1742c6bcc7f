import { studies } from '@radwork/contract/studies';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeRequest } from '#test/fake-request.ts';
import { answer, signIn, visit } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  // A list that builds only what is in view needs something to be in view of.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  FakeRequest.last = undefined;
});

const file = (name: string) => new File(['DICM'], name);

const openScreen = async () => {
  signIn();
  const study = studyDetails();
  const page = visit(
    '/studies/create',
    answer(studies.get, () => study),
  );
  const input = await screen.findByLabelText('DICOM files');
  return { ...page, study, user: userEvent.setup(), input };
};

/** What the server answers to the request under way. */
const respond = async (data: { stored: { name: string; studyId: string }[]; refused: unknown[] }) => {
  await vi.waitUntil(() => FakeRequest.last);
  FakeRequest.last?.answer(200, { code: 200, data });
};

test('there are two ways in: files, and an archive elsewhere', async () => {
  await openScreen();

  expect(screen.getByRole('heading', { name: 'Upload Study' })).toBeDefined();
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['DICOM Files', 'DICOMWEB']);
});

test('chosen files wait as Pending until somebody sends them', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [file('IM1'), file('IM2')]);

  const rows = screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.startsWith('IM'));
  expect(rows.map(({ textContent }) => textContent)).toEqual(['IM14 BytesPending', 'IM24 BytesPending']);
  expect(screen.getByRole('button', { name: 'Upload 2 files' })).toBeDefined();
  expect(FakeRequest.last).toBeUndefined();
});

test('housekeeping files are left out with a word', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [file('IM1'), file('.DS_Store')]);

  expect(screen.getByText('1 file left out')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Upload 1 file' })).toBeDefined();
});

test('the end says what was stored, in which study of whom, and what was not and why', async () => {
  const { user, input, study } = await openScreen();
  await user.upload(input, [file('IM1'), file('notes.txt')]);

  await user.click(screen.getByRole('button', { name: 'Upload 2 files' }));
  await respond({
    stored: [{ name: '0', studyId: study.id }],
    refused: [{ name: '1', reason: 'This is not a DICOM file.' }],
  });

  const dialog = await screen.findByRole('dialog', { name: 'Error uploading files' });
  expect(within(dialog).getByText('This is not a DICOM file.')).toBeDefined();
  expect(within(dialog).getByText('notes.txt')).toBeDefined();

  await user.click(within(dialog).getByRole('button', { name: 'Close' }));

  expect(await screen.findByText('Failed to process files:')).toBeDefined();
  expect(screen.getByText('Successfully processed files:')).toBeDefined();
  expect(screen.getByText('1 of 2 files uploaded, 1 failed')).toBeDefined();
  const stored = screen.getByRole('region', { name: 'Uploaded studies' });
  expect(await within(stored).findByText('Phantom, Ada')).toBeDefined();
  expect(within(stored).getByRole('link', { name: 'Open study' }).getAttribute('href')).toBe(`/studies/${study.id}`);
  expect(within(stored).getByRole('link', { name: 'Open in viewer' }).getAttribute('href')).toBe(`/viewer/${study.id}`);
});

test('what failed is sent again on request', async () => {
  const { user, input, study } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(screen.getByRole('button', { name: 'Upload 1 file' }));
  await respond({ stored: [], refused: [{ name: '0', reason: 'The disk is full.' }] });
  const dialog = await screen.findByRole('dialog', { name: 'Error uploading files' });
  FakeRequest.last = undefined;

  await user.click(within(dialog).getByRole('button', { name: 'Retry failed' }));
  await respond({ stored: [{ name: '0', studyId: study.id }], refused: [] });

  expect(await screen.findByText('1 of 1 files uploaded')).toBeDefined();
});

test('a UID that is none is told before anything is sent', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);

  await user.type(screen.getByLabelText('Study UID'), '1.2..3');

  expect(screen.getByText('A UID has digits and single dots, 64 characters at most')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Upload 1 file' }).hasAttribute('disabled')).toBe(true);
});

test('leaving during an upload asks first', async () => {
  const { user, input, address } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(screen.getByRole('button', { name: 'Upload 1 file' }));

  await user.click(screen.getByRole('link', { name: 'Reports' }));
  const question = await screen.findByRole('dialog', { name: 'Leave while files are being uploaded?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));

  expect(address()).toBe('/studies/create');
});
