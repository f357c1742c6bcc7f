import { atlas } from '@radwork/contract/knowledge/atlas';
import type { Endpoint } from '@radwork/contract/core/endpoint';
import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { modalities } from '@radwork/contract/core/modalities';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '#test/eventually.ts';
import { FakeRequest } from '#test/fake-request.ts';
import { answerAtlas, answerGuidelines, entryOf, guidelineOf } from '#test/library.ts';
import { answer, answerBytes, refuse, signIn, visit } from '#test/screen.tsx';

beforeEach(() => {
  signIn('RADIOLOGIST');
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.unstubAllGlobals();
  FakeRequest.last = undefined;
});

/** Exact texts that the specification requires for the atlas and the guidelines (checks 156-170). */
const kinds = [
  {
    path: '/atlas',
    noun: 'atlas',
    title: 'Pulmonary embolism',
    endpoints: atlas,
    answers: () => answerAtlas(entryOf()),
    empty: () => answerAtlas(entryOf({ files: [] })),
    create: 'Create Atlas',
    update: 'Update Atlas',
    words: { label: 'Summary', rows: 4 },
    fields: ['Title', 'Author', 'Modality', 'Body Part', 'Summary'],
    files: 'Files',
    accept: '.pdf,.jpg,.jpeg,.png,.dicom,.dcm',
    add: 'Add Files',
    select: 'Select Files',
    none: 'No files uploaded',
    ask: 'Are you sure you want to delete this atlas?',
    askFile: 'Are you sure you want to delete this file?',
    confirm: 'Delete atlas',
    confirmFile: 'Delete file',
    created: 'Atlas created successfully',
    updated: 'Atlas updated successfully',
    added: 'Files added successfully',
    deleted: 'Atlas deleted successfully',
    fileDeleted: 'File deleted successfully',
    notLoaded: 'Failed to load atlases',
    notSaved: 'Failed to save atlas',
    notAdded: 'Failed to add files',
    notDeleted: 'Failed to delete atlas',
    fileNotDeleted: 'Failed to delete file',
  },
  {
    path: '/guidelines',
    noun: 'guideline',
    title: 'Contrast reactions',
    endpoints: guidelines,
    answers: () => answerGuidelines(guidelineOf()),
    empty: () => answerGuidelines(guidelineOf({ attachments: [] })),
    create: 'Create Guideline',
    update: 'Update Guideline',
    words: { label: 'Content', rows: 8 },
    fields: ['Title', 'Author', 'Content'],
    files: 'Attachments',
    accept: '.pdf,.doc,.docx,.jpg,.jpeg,.png,.txt',
    add: 'Add Attachments',
    select: 'Select Attachments',
    none: 'No attachments uploaded',
    ask: 'Are you sure you want to delete this guideline?',
    askFile: 'Are you sure you want to delete this attachment?',
    confirm: 'Delete guideline',
    confirmFile: 'Delete attachment',
    created: 'Guideline created successfully',
    updated: 'Guideline updated successfully',
    added: 'Attachments added successfully',
    deleted: 'Guideline deleted successfully',
    fileDeleted: 'Attachment deleted successfully',
    notLoaded: 'Failed to load guidelines',
    notSaved: 'Failed to save guideline',
    notAdded: 'Failed to add attachments',
    notDeleted: 'Failed to delete guideline',
    fileNotDeleted: 'Failed to delete attachment',
  },
] as const;
type Kind = (typeof kinds)[number];
type Answers = ReturnType<typeof answer>[];

const press = async (name: string, place: Pick<typeof screen, 'getByRole'> = screen) =>
  userEvent.click(place.getByRole('button', { name }));
const dialogNamed = (name: string) => screen.findByRole('dialog', { name });

/** Simulates an unreachable server. */
const away = (endpoint: Endpoint) =>
  answer(endpoint, () => {
    throw new TypeError('Failed to fetch');
  });

const openForm = async (kind: Kind, ...answers: Answers) => {
  visit(kind.path, ...answers, ...kind.answers());
  await userEvent.click(await screen.findByRole('button', { name: kind.create }));
  return within(await dialogNamed(kind.create));
};

const fill = async (dialog: ReturnType<typeof within>, kind: Kind) => {
  await userEvent.type(dialog.getByLabelText(/^Title/), 'Typed title');
  await userEvent.type(dialog.getByLabelText(/^Author/), 'Typed author');
  await userEvent.type(dialog.getByLabelText(new RegExp(`^${kind.words.label}`)), 'Typed words');
};

const openDetails = async (kind: Kind, ...answers: Answers) => {
  visit(kind.path, ...answers, ...kind.answers());
  await userEvent.click(await screen.findByRole('button', { name: `View ${kind.title}` }));
  return within(await dialogNamed(kind.title));
};

const request = async () => {
  await until(() => FakeRequest.last);
  if (!FakeRequest.last) throw new Error('Nothing was sent');
  return FakeRequest.last;
};

test.each(kinds)('the form of $path has its fields, rows, modalities and file types', async (kind) => {
  const dialog = await openForm(kind);

  for (const label of kind.fields) {
    expect(dialog.getByLabelText(new RegExp(`^${label}`), { selector: 'input, select, textarea' })).toBeDefined();
  }
  expect(dialog.getByLabelText(new RegExp(`^${kind.words.label}`)).getAttribute('rows')).toBe(`${kind.words.rows}`);
  expect(dialog.getByLabelText(kind.files, { selector: 'input' }).getAttribute('accept')).toBe(kind.accept);
  const codes = within(dialog.getByLabelText('Modality')).getAllByRole<HTMLOptionElement>('option');
  expect(codes.map(({ value }) => value)).toEqual(['', ...modalities]);
  for (const name of ['Cancel', kind.create]) expect(dialog.getByRole('button', { name })).toBeDefined();
});

test.each(kinds)('creating an entry shows a confirmation: $created', async (kind) => {
  const dialog = await openForm(kind);
  await fill(dialog, kind);
  await press(kind.create, dialog);
  const sent = await request();

  expect(sent.address).toBe(`POST /api${kind.path}`);
  expect(dialog.getByRole('button', { name: kind.create }).hasAttribute('data-loading')).toBe(true);
  sent.answer(200, { code: 200, data: {} });
  expect(await screen.findByText(kind.created)).toBeDefined();
  expect(screen.queryByRole('dialog', { name: kind.create })).toBeNull();
});

test.each(kinds)(
  'a change of an entry is sent with the loaded revision and shows a confirmation: $updated',
  async (kind) => {
    visit(kind.path, ...kind.answers());
    await userEvent.click(await screen.findByRole('button', { name: `Edit ${kind.title}` }));
    const dialog = within(await dialogNamed(kind.update));
    await press(kind.update, dialog);
    const sent = await request();

    expect(sent.address).toMatch(new RegExp(`^PUT /api${kind.path}/.1$`));
    const body: unknown = sent.body?.get(kind.noun);
    if (!(body instanceof Blob)) throw new Error('No text was sent');
    expect(JSON.parse(await body.text())).toMatchObject({ title: kind.title, revision: 4 });
    sent.answer(200, { code: 200, data: {} });
    expect(await screen.findByText(kind.updated)).toBeDefined();
  },
);

test.each(kinds)('a form of an entry that gets no answer keeps its text: $notSaved', async (kind) => {
  const dialog = await openForm(kind);
  await fill(dialog, kind);
  await press(kind.create, dialog);
  (await request()).onerror();

  expect((await screen.findAllByText(kind.notSaved)).length).toBeGreaterThan(0);
  expect(dialog.getByDisplayValue('Typed words')).toBeDefined();
});

test.each(kinds)('files can be added only after a file is chosen and while no upload runs: $added', async (kind) => {
  const details = await openDetails(kind);
  await press(kind.add, details);
  const dialog = within(await dialogNamed(kind.add));
  const add = dialog.getByRole<HTMLButtonElement>('button', { name: kind.add });

  expect(add.disabled).toBe(true);
  await userEvent.upload(dialog.getByLabelText(kind.select, { selector: 'input' }), new File(['x'], 'b.png'));
  expect(add.disabled).toBe(false);
  await userEvent.click(add);
  const sent = await request();
  expect(add.disabled).toBe(true);
  expect(sent.body?.get(kind.noun)).toBeNull();
  sent.answer(200, { code: 200, data: {} });
  expect(await screen.findByText(kind.added)).toBeDefined();
});

test.each(kinds)('files whose upload got no answer stay chosen: $notAdded', async (kind) => {
  const details = await openDetails(kind);
  await press(kind.add, details);
  const dialog = within(await dialogNamed(kind.add));
  await userEvent.upload(dialog.getByLabelText(kind.select, { selector: 'input' }), new File(['x'], 'b.png'));
  await press(kind.add, dialog);
  (await request()).onerror();

  expect((await screen.findAllByText(kind.notAdded)).length).toBeGreaterThan(0);
  expect(dialog.getByText('b.png')).toBeDefined();
});

test.each(kinds)('an entry is deleted after the confirmation: $ask', async (kind) => {
  visit(
    kind.path,
    answer(kind.endpoints.remove, () => undefined),
    ...kind.answers(),
  );
  await userEvent.click(await screen.findByRole('button', { name: `Delete ${kind.title}` }));

  expect(await screen.findByText(kind.ask)).toBeDefined();
  await press(kind.confirm);
  expect(await screen.findByText(kind.deleted)).toBeDefined();
});

test.each(kinds)('an entry that cannot be deleted shows an error: $notDeleted', async (kind) => {
  visit(kind.path, away(kind.endpoints.remove), ...kind.answers());
  await userEvent.click(await screen.findByRole('button', { name: `Delete ${kind.title}` }));
  await userEvent.click(await screen.findByRole('button', { name: kind.confirm }));

  expect(await screen.findByText(kind.notDeleted)).toBeDefined();
});

test.each(kinds)('a file of an entry is deleted after the confirmation: $askFile', async (kind) => {
  const details = await openDetails(
    kind,
    answer(kind.endpoints.removeFile, () => undefined),
  );
  await press('Delete chart.pdf', details);

  expect(await screen.findByText(kind.askFile)).toBeDefined();
  await press(kind.confirmFile);
  expect(await screen.findByText(kind.fileDeleted)).toBeDefined();
});

test.each(kinds)('a file of an entry that cannot be deleted shows an error: $fileNotDeleted', async (kind) => {
  const details = await openDetails(kind, away(kind.endpoints.removeFile));
  await press('Delete chart.pdf', details);
  await userEvent.click(await screen.findByRole('button', { name: kind.confirmFile }));

  expect(await screen.findByText(kind.fileNotDeleted)).toBeDefined();
});

test.each(kinds)('a failed download of a file of $path shows an error: Failed to download file', async (kind) => {
  const gone = answerBytes('/api/files/:id/download', () => {
    throw new TypeError('Failed to fetch');
  });
  const details = await openDetails(kind, gone);
  await press('Download chart.pdf', details);

  expect(await screen.findByText('Failed to download file')).toBeDefined();
});

test.each(kinds)('a list that fails to load shows an error: $notLoaded', async (kind) => {
  visit(kind.path, refuse(kind.endpoints.list, 503, 'The database cannot be reached.'));

  expect(await screen.findByText(kind.notLoaded)).toBeDefined();
});

test.each(kinds)('an entry without files shows a message: $none', async (kind) => {
  visit(kind.path, ...kind.empty());
  await userEvent.click(await screen.findByRole('button', { name: `View ${kind.title}` }));

  expect(await screen.findByText(kind.none)).toBeDefined();
});

test('the guideline list shows its columns, and the details keep the line breaks of the content', async () => {
  visit('/guidelines', ...answerGuidelines(guidelineOf()));
  await screen.findByRole('row', { name: /Contrast reactions/ });
  for (const name of ['Title', 'Author', 'Content', 'Attachments', 'Actions']) {
    expect(screen.getByRole('columnheader', { name: new RegExp(name) })).toBeDefined();
  }
  await press('View Contrast reactions');
  const dialog = within(await dialogNamed('Contrast reactions'));

  const content = await dialog.findByRole('region', { name: 'Content' });
  expect([content.tagName, content.textContent]).toEqual(['PRE', guidelineOf().content]);
});

test('the Search button searches like Enter, and Clear shows all entries again', async () => {
  const { calls, address } = visit('/atlas', ...answerAtlas(entryOf()));
  await screen.findByRole('row', { name: /Pulmonary embolism/ });
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search atlases' }), 'lung');
  await press('Search');

  await until(() => calls.some(({ url }) => url.searchParams.get('q') === 'lung'));
  expect(address()).toContain('q=lung');
  await press('Clear');
  await until(() => !address().includes('q='));
  const sizes = calls.filter(({ url }) => url.pathname === '/api/atlas').map(({ url }) => url.searchParams.get('size'));
  expect(new Set(sizes)).toEqual(new Set(['10']));
});

test('a user without the right to manage the atlas can read it but not change it', async () => {
  signIn('REFERRING_PHYSICIAN');
  visit('/atlas', ...answerAtlas(entryOf()));
  await userEvent.click(await screen.findByRole('button', { name: 'View Pulmonary embolism' }));
  await screen.findByRole('button', { name: 'Download chart.pdf' });

  for (const name of ['Create Atlas', 'Edit Pulmonary embolism', 'Delete Pulmonary embolism', 'Add Files']) {
    expect(screen.queryByRole('button', { name, hidden: true })).toBeNull();
  }
});
