import { type Autosave, reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { leaveUnsaved, unsavedTexts } from '#test/unsaved-texts.ts';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';
import { DeletedStudyTexts } from './deleted-study-texts.tsx';

const openWindow = (studyId = 's1') => {
  const routeTree = createRootRoute({
    staticData: { can: 'public' },
    component: () => <ReportPanel studyId={studyId} />,
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

const copies = () =>
  unsavedTexts<{ content: string }>()
    .map(({ value }) => value.content)
    .toSorted();

const copyOf = (content: string, overrides: object = {}) => ({
  reportId: 'r1' as string | null,
  revision: 1 as number | null,
  patient: jane,
  content,
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  at: new Date().toISOString(),
  keptId: null,
  ...overrides,
});

/** Stores a copy, as if by a window that has closed since then. */
const leave = (name: string, copy: object) => leaveUnsaved(`report-of-study.${name}`, copy);

const older = (minutes: number) => ({ at: new Date(Date.now() - minutes * 60_000).toISOString() });

const autosave = (overrides: Partial<Autosave> = {}): Autosave => ({
  ...copyOf('<p>Kept by the server</p>'),
  id: '0197c0de-0000-7000-8000-0000000000aa',
  baseRevision: 1,
  savedAt: new Date().toISOString(),
  ...overrides,
});

/** Server that returns the given texts and refuses every autosave. */
const offline = (report: Report | null = reportFor(), texts: Autosave[] = [], ...more: Parameters<typeof serve>) =>
  serve(
    answer(reports.ofStudy, () => ({
      report,
      patient: jane,
      canCreate: report === null,
      reasons: [],
      readingBy: null,
    })),
    answer(reportAutosaves.find, () => texts),
    refuse(reportAutosaves.keep, 503, 'Not now'),
    ...more,
  );

/** Returns the editors of the open windows, in the order of opening. */
const editors = async (count: number): Promise<Editor[]> => {
  await waitFor(() => expect(screen.getAllByRole('textbox', { name: 'Report text' })).toHaveLength(count));
  return screen
    .getAllByRole('textbox', { name: 'Report text' })
    .map((element) => (element as HTMLElement & { editor: Editor }).editor);
};

/** Fills the browser storage; existing entries remain. */
const fillBrowser = () => {
  const keep = localStorage.setItem.bind(localStorage);
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation((key, text) => {
    if (!key.startsWith('unsaved.')) return keep(key, text);
    throw new DOMException('No room', 'QuotaExceededError');
  });
  onTestFinished(() => full.mockRestore());
};

test("two windows without a connection never overwrite each other's copy in the browser", async () => {
  offline();
  const [one, two] = [openWindow(), openWindow()];
  const [first, second] = await editors(2);
  if (!first || !second) throw new Error('There are two');

  write(first, '<p>Written for half an hour.</p>');
  await waitFor(() => expect(copies()).toEqual(['<p>Written for half an hour.</p>']));
  write(second, '<p>x</p>');

  await waitFor(() => expect(copies()).toEqual(['<p>Written for half an hour.</p>', '<p>x</p>']));
  one.unmount();
  two.unmount();
  openWindow();
  const editor = await editorIn();
  const texts = [editor.getText(), await otherText()];
  expect(texts.toSorted()).toEqual(['Written for half an hour.', 'x']);
});

const otherText = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Show my text' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your unsaved text' });
  return dialog.querySelector('p')?.textContent ?? '';
};

test('when one window continues a text, the later text of the other window is kept', async () => {
  offline();
  openWindow();
  const [first] = await editors(1);
  if (!first) throw new Error('There is one');
  write(first, '<p>Begun.</p>');
  await waitFor(() => expect(copies()).toEqual(['<p>Begun.</p>']));
  openWindow();
  const [, second] = await editors(2);
  if (!second) throw new Error('There are two');
  expect(second.getText()).toBe('Begun.');

  write(first, '<p>Begun. Here.</p>');
  await waitFor(() => expect(copies()).toEqual(['<p>Begun. Here.</p>']));
  write(second, '<p>Begun. There.</p>');

  await waitFor(() => expect(copies()).toEqual(['<p>Begun. Here.</p>', '<p>Begun. There.</p>']));
});

test('continuing the text of a closed window replaces its copy in the browser', async () => {
  offline();
  leave('s1.closed', copyOf('<p>Left.</p>'));
  openWindow();
  const editor = await editorIn();
  expect(editor.getText()).toBe('Left.');

  write(editor, '<p>Left. And more.</p>');

  await waitFor(() => expect(copies()).toEqual(['<p>Left. And more.</p>']));
});

test('when browser storage is full, the older copy stays, and a warning says so', async () => {
  offline();
  leave('full.closed', copyOf('<p>Left.</p>'));
  openWindow('full');
  const editor = await editorIn();
  fillBrowser();

  write(editor, '<p>Left. And more.</p>');

  expect(await screen.findByText('Not saved. This browser cannot store the text')).toBeDefined();
  expect(copies()).toEqual(['<p>Left.</p>']);
});

test('when browser storage is full, the text that was not opened stays', async () => {
  offline(reportFor(), [autosave()]);
  leave('s1.closed', copyOf('<p>Older, with pictures</p>', older(9)));
  fillBrowser();

  openWindow();

  expect((await editorIn()).getText()).toBe('Kept by the server');
  expect(copies()).toEqual(['<p>Older, with pictures</p>']);
  expect(screen.getByText(/The text is stored in this browser\./)).toBeDefined();
});

test('when browser storage is full, the page does not claim to have stored the text', async () => {
  offline();
  fillBrowser();
  const { unmount } = openWindow('crowded');
  write(await editorIn(), '<p>In memory</p>');
  await screen.findByText('Not saved. This browser cannot store the text');
  unmount();
  offline(reportFor({ status: 'FINALIZED' }));

  openWindow('crowded');

  expect(await screen.findByText(/cannot store the text\. The text is lost when you close this page/)).toBeDefined();
});

test.each([
  ['was signed in between', reportFor({ status: 'FINALIZED' }), { reportId: 'r1' }],
  ['was created after the text was begun', reportFor(), { reportId: null, revision: null }],
  ['is an earlier report of its study', reportFor({ id: 'r2' }), { reportId: 'r1' }],
  [
    'is an earlier report, and the newer report is signed',
    reportFor({ id: 'r2', status: 'FINALIZED' }),
    { reportId: 'r1' },
  ],
  ['no longer exists', null, { reportId: 'r1' }],
])('the writer can still read an unsaved text whose report %s', async (_, report, overrides) => {
  offline(report);
  leave('s1.one', copyOf('<p>Mine</p>', overrides));
  leave('s10.one', copyOf('<p>Of another study</p>', overrides));

  openWindow();

  expect(await screen.findByText(/^Your text of .* was never saved/)).toBeDefined();
  expect(await otherText()).toBe('Mine');
});

test('continuing an unsaved text keeps the text it replaces available', async () => {
  offline();
  openWindow();
  write(await editorIn(), '<p>Here</p>');
  await waitFor(() => expect(copies()).toEqual(['<p>Here</p>']));
  leave('s1.other', copyOf('<p>There</p>', older(5)));
  window.dispatchEvent(new Event('storage'));

  await userEvent.click(await screen.findByRole('button', { name: 'Continue with my text' }));

  await waitFor(async () => expect((await editorIn()).getText()).toBe('There'));
  expect(copies()).toEqual(['<p>Here</p>', '<p>There</p>']);
  expect(await otherText()).toBe('Here');
});

test('when an earlier version replaces an unsaved text, the unsaved text stays available', async () => {
  const version = {
    version: 1,
    status: 'DRAFT',
    action: 'SAVED',
    actor: reportFor().author,
    at: '',
    comment: '',
  } as const;
  offline(
    reportFor(),
    [],
    answer(reports.version, () => ({
      ...version,
      contentHash: '',
      content: '<p>As it was.</p>',
      hasCriticalFindings: false,
      criticalFindingsDetails: '',
    })),
  );
  openWindow();
  write(await editorIn(), '<p>Ten minutes of work.</p>');

  await userEvent.click(screen.getByRole('button', { name: 'History' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show version 1' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Copy into draft' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Copy version' }));
  await waitFor(async () => expect((await editorIn()).getText()).toBe('As it was.'));
  await userEvent.click(screen.getByRole('button', { name: 'Continue with my text' }));

  expect((await editorIn()).getText()).toBe('Ten minutes of work.');
});

test('an unsaved text of another report is compared with the stored text before it is saved there', async () => {
  offline(reportFor({ id: 'r2', content: '<p>Stored.</p>' }));
  leave('s1.other', copyOf('<p>Of the earlier one</p>'));
  openWindow();
  await editorIn();

  await userEvent.click(screen.getByRole('button', { name: 'Continue with my text' }));

  expect(await screen.findByText(/Your text is not saved; nothing was overwritten/)).toBeDefined();
});

test('an unsaved text is discarded only after a confirmation', async () => {
  offline(reportFor({ status: 'FINALIZED' }));
  leave('s1.one', copyOf('<p>Mine</p>'));
  openWindow();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(copies()).toEqual(['<p>Mine</p>']);

  await userEvent.click(await screen.findByRole('button', { name: 'Discard text' }));

  await waitFor(() => expect(copies()).toEqual([]));
  expect(screen.queryByText(/was never saved/)).toBeNull();
});

test('the writer can read the texts of a deleted study from the browser and the server', async () => {
  serve(answer(reportAutosaves.find, () => [autosave()]));
  leave('s1.one', copyOf('<p>Mine</p>'));

  show(<DeletedStudyTexts studyId="s1" />);

  expect(await screen.findByText(/The text is autosaved on the server\./)).toBeDefined();
  expect(screen.getByText(/The text is stored in this browser\./)).toBeDefined();
});
