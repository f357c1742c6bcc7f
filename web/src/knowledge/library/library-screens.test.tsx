import { atlas, type AtlasEntry } from '@radwork/contract/knowledge/atlas';
import { guidelines, type Guideline } from '@radwork/contract/knowledge/guidelines';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';
import { previewOf } from './guidelines-screen.tsx';

beforeEach(() => void signIn('RADIOLOGIST'));

const file = { id: 'f1', filename: 'chart.pdf', contentType: 'application/pdf', size: 2048, frames: null };
const stored = {
  author: 'Dr Ito',
  modality: '',
  bodyPart: '',
  revision: 1,
  updatedBy: 'Mona Haddad',
  updatedAt: '2026-11-20T10:00:00Z',
};
const entry: AtlasEntry = { id: 'a1', title: 'Pulmonary embolism', summary: '', files: [file], ...stored };
const hostile = '<img src=x onerror="window.fired=1"><script>window.fired=1</script>';
const advice: Guideline = {
  id: 'g1',
  title: hostile,
  content: `${hostile}\n\nSecond line`,
  attachments: [],
  ...stored,
};

const pageOf = <T,>(content: T[]) => ({ content, totalElements: content.length, totalPages: 1, number: 0, size: 10 });

const visitAtlas = () =>
  visit(
    '/atlas',
    answer(atlas.list, () => pageOf([entry])),
    answer(atlas.get, () => entry),
    answer(atlas.remove, () => undefined),
  );

test('the atlas shows its columns and file counts, and sends the search to the server', async () => {
  const { calls } = visitAtlas();
  const row = await screen.findByRole('row', { name: /Pulmonary embolism/ });

  for (const name of ['Title', 'Author', 'Modality', 'Body Part', 'Files', 'Actions']) {
    expect(screen.getByRole('columnheader', { name: new RegExp(name) })).toBeDefined();
  }
  expect(within(row).getByText('1')).toBeDefined();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search atlases' }), 'lung{Enter}');
  await waitFor(() => expect(calls.some(({ url }) => url.searchParams.get('q') === 'lung')).toBe(true));
});

test('the details of an entry show missing values, and name, type and size of each file', async () => {
  visitAtlas();
  await userEvent.click(await screen.findByRole('button', { name: 'View Pulmonary embolism' }));
  const dialog = await screen.findByRole('dialog');

  expect(await within(dialog).findByText('No summary provided')).toBeDefined();
  expect(within(dialog).getAllByText('N/A')).toHaveLength(2);
  expect(within(dialog).getByText('application/pdf')).toBeDefined();
  expect(within(dialog).getByRole('button', { name: 'Download chart.pdf' })).toBeDefined();
});

test('an entry of the library is deleted after a confirmation that names its files', async () => {
  const { calls } = visitAtlas();
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Pulmonary embolism' }));

  expect(await screen.findByText('Are you sure you want to delete this atlas?')).toBeDefined();
  expect(screen.getByText(/and 1 file will be deleted/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Delete atlas' }));
  expect(await screen.findByText('Atlas deleted successfully')).toBeDefined();
  expect(calls.some(({ method, url }) => method === 'DELETE' && url.pathname === '/api/atlas/a1')).toBe(true);
});

test('a title with a right-to-left override does not reverse the text of the confirmation', async () => {
  const turned = { ...entry, title: '\u202eEHT' };
  visit(
    '/atlas',
    answer(atlas.list, () => pageOf([turned])),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Delete \u202eEHT' }));

  expect(await screen.findByText(/^“\u2068\u202eEHT\u2069” and 1 file will be deleted/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('a library screen that fails to load shows its own message', async () => {
  visit('/guidelines', refuse(guidelines.list, 503, 'The database cannot be reached.'));

  expect(await screen.findByText('Failed to load guidelines')).toBeDefined();
});

test('a guideline is shown as plain text on all screens and never run', async () => {
  visit(
    '/guidelines',
    answer(guidelines.list, () => pageOf([advice])),
    answer(guidelines.get, () => advice),
  );
  await userEvent.click(await screen.findByRole('button', { name: `View ${hostile}` }));
  const dialog = await screen.findByRole('dialog');

  expect(await within(dialog).findByText('No attachments uploaded')).toBeDefined();
  expect(within(dialog).getByRole('region', { name: 'Content' }).textContent).toBe(advice.content);
  expect(document.querySelector('img[src="x"]')).toBeNull();
  expect('fired' in window).toBe(false);
});

test('the form of an entry names missing fields before sending', async () => {
  const { calls } = visit(
    '/guidelines',
    answer(guidelines.list, () => pageOf([])),
  );
  const [create] = await screen.findAllByRole('button', { name: 'Create Guideline' });
  if (!create) throw new Error('a button');
  await userEvent.click(create);
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create Guideline' }));

  for (const words of ['Title is required', 'Author is required', 'Content is required']) {
    expect(await within(dialog).findByText(words)).toBeDefined();
  }
  expect(calls.filter(({ url }) => url.pathname === '/api/guidelines' && url.search === '')).toEqual([]);
});

test.each([
  ['', 'No content'],
  ['a'.repeat(100), 'a'.repeat(100)],
  ['a'.repeat(101), `${'a'.repeat(100)}...`],
])('the list shows the first 100 characters of the content of an entry', (content, preview) => {
  expect(previewOf(content)).toBe(preview);
});
