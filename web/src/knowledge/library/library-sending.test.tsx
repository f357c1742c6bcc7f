import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '#test/eventually.ts';
import { FakeRequest } from '#test/fake-request.ts';
import { answerAtlas, entryOf } from '#test/library.ts';
import { signIn, visit } from '#test/screen.tsx';

beforeEach(() => {
  signIn('RADIOLOGIST');
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.unstubAllGlobals();
  FakeRequest.last = undefined;
});

const chart = new File(['%PDF-1.7'], 'chart.pdf');
const picture = new File(['x'], 'picture.png');

/** Fills in the form of a new entry with a title, an author and these files. */
const fillForm = async (...files: File[]) => {
  const page = visit('/atlas', ...answerAtlas(entryOf()));
  await userEvent.click(await screen.findByRole('button', { name: 'Create Atlas' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Atlas' }));
  await userEvent.type(dialog.getByLabelText(/^Title/), 'Typed title');
  await userEvent.type(dialog.getByLabelText(/^Author/), 'Typed author');
  // Ignores `accept`, because a user can still choose any file.
  const chooser = userEvent.setup({ applyAccept: false });
  await chooser.upload(dialog.getByLabelText('Files', { selector: 'input' }), files);
  return { ...page, dialog, submit: dialog.getByRole<HTMLButtonElement>('button', { name: 'Create Atlas' }) };
};

const requestUnderWay = async () => {
  await until(() => FakeRequest.last);
  if (!FakeRequest.last) throw new Error('Nothing was sent');
  return FakeRequest.last;
};

const expectNothingLost = (dialog: ReturnType<typeof within>, ...names: string[]) => {
  expect(dialog.getByDisplayValue('Typed title')).toBeDefined();
  expect(dialog.getByDisplayValue('Typed author')).toBeDefined();
  for (const name of names) expect(dialog.getByRole('button', { name: `Remove ${name}` })).toBeDefined();
};

test('chosen files of an entry are listed with their sizes, and a removed file is not sent', async () => {
  const { dialog, submit } = await fillForm(chart, picture);

  expect(dialog.getByText('chart.pdf').closest('li')?.textContent).toContain('8 B');
  await userEvent.click(dialog.getByRole('button', { name: 'Remove picture.png' }));
  await userEvent.click(submit);
  const { body } = await requestUnderWay();

  expect(body?.getAll('files')).toEqual([chart]);
});

test('an upload to the library shows its progress and cannot be sent twice', async () => {
  const { dialog, submit } = await fillForm(chart);
  await userEvent.click(submit);
  const request = await requestUnderWay();
  await act(async () => request.upload.onprogress?.({ loaded: 42, total: 100 }));

  expect(dialog.getByText('42 %')).toBeDefined();
  expect(dialog.getByRole('progressbar', { name: 'Upload' }).getAttribute('aria-valuenow')).toBe('42');
  FakeRequest.last = undefined;
  await userEvent.type(dialog.getByLabelText(/^Title/), '{Enter}');
  expect(FakeRequest.last).toBeUndefined();
});

test('canceling an upload to the library keeps the form open with its values', async () => {
  const { dialog, submit } = await fillForm(chart);
  await userEvent.click(submit);
  const request = await requestUnderWay();
  const abort = vi.spyOn(request, 'abort');
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));

  expect(abort).toHaveBeenCalledOnce();
  expectNothingLost(dialog, 'chart.pdf');
  FakeRequest.last = undefined;
  await userEvent.click(submit);
  expect((await requestUnderWay()).body?.getAll('files')).toEqual([chart]);
});

test('a file that the server refuses is named with the reason, and the user can remove it before a retry', async () => {
  const { dialog, submit } = await fillForm(chart, picture);
  await userEvent.click(submit);
  const reason = 'picture.png: The content is not a PNG file';
  (await requestUnderWay()).answer(422, {
    code: 422,
    error: 'file.refused',
    message: `${reason}. Nothing was stored.`,
    errors: [{ field: 'files.1', message: reason }],
  });

  const fault = await dialog.findByText(reason);
  expect(fault.closest('li')?.textContent).toContain('picture.png');
  expectNothingLost(dialog, 'chart.pdf', 'picture.png');
  await userEvent.click(dialog.getByRole('button', { name: 'Remove picture.png' }));
  expect(dialog.queryByText(reason)).toBeNull();
  FakeRequest.last = undefined;
  await userEvent.click(submit);
  expect((await requestUnderWay()).body?.getAll('files')).toEqual([chart]);
});

test('removing a refused file does not move its error to the next file', async () => {
  const { dialog, submit } = await fillForm(picture, chart);
  await userEvent.click(submit);
  const reason = 'picture.png: The content is not a PNG file';
  const errors = [{ field: 'files.0', message: reason }];
  (await requestUnderWay()).answer(422, { code: 422, error: 'file.refused', message: 'Refused', errors });
  await dialog.findByText(reason);
  await userEvent.click(dialog.getByRole('button', { name: 'Remove picture.png' }));

  expect(dialog.queryByText(reason)).toBeNull();
});

test('an unsupported file is reported at once, and sending waits until it is removed', async () => {
  const { dialog, submit } = await fillForm(new File(['<svg/>'], 'a.svg'), new File([], 'empty.png'));

  expect(dialog.getByText('Only PDF, JPG, JPEG, PNG, DICOM or DCM files are accepted')).toBeDefined();
  expect(dialog.getByText('The file is empty')).toBeDefined();
  expect(submit.disabled).toBe(true);
  await userEvent.click(dialog.getByRole('button', { name: 'Remove a.svg' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Remove empty.png' }));
  expect(submit.disabled).toBe(false);
});

test('choosing more files than one call accepts sends nothing', async () => {
  const { dialog, submit } = await fillForm(...Array.from({ length: 21 }, (_, at) => new File(['x'], `${at}.png`)));

  expect(dialog.getByText('Upload at most 20 files at a time')).toBeDefined();
  expect(submit.disabled).toBe(true);
});

test('a conflict in an entry names the other user and the fields, and keeps the typed text', async () => {
  visit('/atlas', ...answerAtlas(entryOf()));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Pulmonary embolism' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Update Atlas' }));
  await userEvent.type(dialog.getByLabelText(/^Summary/), 'My words');
  await userEvent.click(dialog.getByRole('button', { name: 'Update Atlas' }));
  const message = 'Ada Osei changed this in the meantime. Your changes were not saved.';
  (await requestUnderWay()).answer(409, {
    code: 409,
    error: 'atlas.changed',
    message,
    errors: [{ field: 'summary', message: 'Changed by Ada Osei' }],
  });

  expect(await dialog.findByText(message)).toBeDefined();
  expect(dialog.getByText('Changed by Ada Osei')).toBeDefined();
  expect(dialog.getByDisplayValue('My words')).toBeDefined();
});

test('Escape closes the dialog above the details and leaves the details open', async () => {
  visit('/atlas', ...answerAtlas(entryOf()));
  await userEvent.click(await screen.findByRole('button', { name: 'View Pulmonary embolism' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Add Files' }));
  await screen.findByRole('dialog', { name: 'Add Files' });
  await userEvent.keyboard('{Escape}');

  await until(() => screen.queryByRole('dialog', { name: 'Add Files' }) === null);
  expect(screen.getByRole('dialog', { name: 'Pulmonary embolism' })).toBeDefined();
  await userEvent.keyboard('{Escape}');
  await until(() => screen.queryByRole('dialog', { name: 'Pulmonary embolism' }) === null);
});
