import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { answer, type SentRequest, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { noteUnwrittenPhrases } from '#reading/editor/dictation/unwritten-phrases.ts';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';

const showPanel = () => {
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: () => <ReportPanel studyId="s1" /> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

type Changes = { stored?: Report | null; store?: (content: string) => string; meanwhile?: (report: Report) => Report };

/**
 * Slow server with the rules of the real server. It saves only at its current revision, and only when the test allows.
 */
const slowServer = ({ stored = reportFor({ signatureRequired: false }), store, meanwhile }: Changes = {}) => {
  const state = { stored, isHolding: true };
  const waiting: (() => void)[] = [];
  const take = async ({ body }: SentRequest) => {
    if (state.isHolding) await new Promise<void>((resolve) => waiting.push(resolve));
    const { content, revision = 0 } = body as { content: string; revision?: number };
    if (revision !== (state.stored?.revision ?? 0)) {
      return Response.json(
        { code: 409, error: 'report.changed', message: 'Rex Reviewer changed this report', traceId: 't' },
        { status: 409 },
      );
    }
    const saved = {
      ...reportFor({ signatureRequired: false }),
      content: store?.(content) ?? content,
      revision: revision + 1,
    };
    state.stored = meanwhile?.(saved) ?? saved;
    return Response.json({ code: 200, message: 'OK', data: saved });
  };
  const calls = serve(
    answer(reports.ofStudy, () => ({
      report: state.stored,
      patient: jane,
      canCreate: state.stored === null,
      reasons: [],
      readingBy: null,
    })),
    { ...answer(reports.save, () => reportFor()), reply: take },
    { ...answer(reports.create, () => reportFor()), reply: take },
    answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })),
    answer(reports.reviewers, () => [{ id: 'u2', username: 'rex', name: 'Rex Reviewer' }]),
  );
  const release = () => {
    state.isHolding = false;
    for (const go of waiting.splice(0)) go();
  };
  return { state, calls, letGo: release };
};

const posts = (calls: SentRequest[], path: RegExp) =>
  calls.filter(({ method, url }) => method === 'POST' && path.test(url.pathname)).map(({ body }) => body);
const saves = (calls: SentRequest[]) => posts(calls, /\/draft/);
const signed = (calls: SentRequest[]) => posts(calls, /\/finalize$/);

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const tick = () =>
  userEvent.click(screen.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }));
const isReadOnly = async () => !(await editorIn()).isEditable;

test.each([
  ['Finalize', 'Finalize report'],
  ['Request review', 'Request review'],
])('%s waits until the server has the whole text on the screen', async (button, title) => {
  const { calls, letGo: release } = slowServer();
  showPanel();
  const editor = await editorIn();
  write(editor, '<p>No pneumothorax.</p>');
  await press(button);
  await waitFor(() => expect(saves(calls)).toHaveLength(1));

  act(() => write(editor, '<p>Tension pneumothorax on the left.</p>'));
  release();
  await screen.findByRole('dialog', { name: title });

  expect(saves(calls)).toMatchObject([
    { content: '<p>No pneumothorax.</p>', revision: 1 },
    { content: '<p>Tension pneumothorax on the left.</p>', revision: 2 },
  ]);
});

test('finalizing signs the text on the screen', async () => {
  const { calls, letGo: release } = slowServer();
  showPanel();
  const editor = await editorIn();
  write(editor, '<p>No pneumothorax.</p>');
  await press('Finalize');
  await waitFor(() => expect(saves(calls)).toHaveLength(1));
  act(() => write(editor, '<p>Tension pneumothorax on the left.</p>'));
  release();

  await screen.findByRole('dialog');
  await tick();
  await press('Finalize report');

  await waitFor(() => expect(signed(calls)).toEqual([{ content: editor.getHTML(), revision: 3 }]));
});

test('the text is locked while it is saved for signing and while the dialog is open', async () => {
  const { calls, letGo: release } = slowServer();
  showPanel();
  write(await editorIn(), '<p>Effusion.</p>');

  await press('Finalize');
  await waitFor(() => expect(saves(calls)).toHaveLength(1));
  expect(await isReadOnly()).toBe(true);
  expect(screen.getByRole('checkbox', { name: 'This report has critical findings' })).toHaveProperty('disabled', true);
  release();
  await screen.findByRole('dialog');
  expect((await screen.findByText('Effusion.')).closest('[contenteditable]')?.getAttribute('contenteditable')).toBe(
    'false',
  );
  await press('Cancel');

  await waitFor(async () => expect(await isReadOnly()).toBe(false));
});

test('nothing is signed or sent while dictated words are missing from the text', async () => {
  const { calls, letGo: release } = slowServer();
  release();
  showPanel();
  await editorIn();
  onTestFinished(() => noteUnwrittenPhrases('s1', undefined));
  act(() => noteUnwrittenPhrases('s1', 'failed'));

  for (const name of ['Finalize', 'Preliminary', 'Request review']) {
    expect(screen.getByRole('button', { name }).getAttribute('aria-description')).toBe(
      'A dictated phrase was not written. Retry or discard it above the text.',
    );
    await press(name);
  }
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(saves(calls)).toEqual([]);
  act(() => noteUnwrittenPhrases('s1', undefined));
  await press('Finalize');

  expect(await screen.findByRole('dialog', { name: 'Finalize report' })).toBeDefined();
});

test('signing ends when the last dictated phrase comes after it has begun', async () => {
  const { calls, letGo: release } = slowServer();
  showPanel();
  write(await editorIn(), '<p>Effusion.</p>');
  onTestFinished(() => noteUnwrittenPhrases('s1', undefined));
  await press('Finalize');
  await waitFor(() => expect(saves(calls)).toHaveLength(1));

  act(() => noteUnwrittenPhrases('s1', 'writing'));
  release();

  expect(await screen.findByText(/^Dictated words are missing from the text\./)).toBeDefined();
  await waitFor(async () => expect(await isReadOnly()).toBe(false));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(signed(calls)).toEqual([]);
});

test('a failed save unlocks the text and opens no dialog', async () => {
  const { state, letGo: release } = slowServer();
  showPanel();
  write(await editorIn(), '<p>Effusion.</p>');
  await press('Finalize');
  state.stored = reportFor({ revision: 2, content: '<p>Theirs.</p>' });
  release();

  expect(await screen.findByText(/^Rex Reviewer changed this report on/)).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await isReadOnly()).toBe(false);
});

test('a text that changes despite the lock is not signed', async () => {
  const { calls, letGo: release } = slowServer();
  release();
  showPanel();
  const editor = await editorIn();
  write(editor, '<p>No pneumothorax.</p>');
  await press('Finalize');
  await screen.findByRole('dialog');
  await tick();

  act(() => write(editor, '<p>Tension pneumothorax.</p>'));

  expect(await screen.findByText(/^The text has changed\. Nothing was signed or sent/)).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(signed(calls)).toEqual([]);
});

test("if a colleague saves right after the writer, the writer does not sign the colleague's text unseen", async () => {
  const withOthersText = (saved: Report) => ({
    ...saved,
    content: '<p>Right effusion.</p>',
    revision: saved.revision + 1,
  });
  const { calls, letGo: release } = slowServer({ meanwhile: withOthersText });
  release();
  showPanel();
  write(await editorIn(), '<p>Left effusion.</p>');

  await press('Finalize');
  await screen.findByRole('dialog');
  await tick();
  await press('Finalize report');

  expect(await screen.findByText(/^Rex Reviewer changed this report on .* Nothing was signed\.$/)).toBeDefined();
  expect(signed(calls)).toEqual([]);
});

test('the page shows the stored text when the server stores less than was sent', async () => {
  const { letGo: release } = slowServer({ store: (content) => content.replace(' Left out.', '') });
  release();
  showPanel();
  write(await editorIn(), '<p>Stored. Left out.</p>');

  await press('Finalize');
  await screen.findByRole('dialog');

  expect(screen.queryByText('Stored. Left out.')).toBeNull();
  expect(screen.getByText('Stored.')).toBeDefined();
});

test('two saves in flight become one and raise no conflict', async () => {
  const { calls, letGo: release } = slowServer();
  showPanel();
  const editor = await editorIn();
  write(editor, '<p>Words.</p>');

  fireEvent.keyDown(editor.view.dom, { key: 's', ctrlKey: true });
  fireEvent.keyDown(editor.view.dom, { key: 's', ctrlKey: true });
  await waitFor(() => expect(saves(calls)).toHaveLength(1));
  release();

  expect(await screen.findByText('Draft updated successfully')).toBeDefined();
  await waitFor(() => expect(screen.getByText(/^Saved /)).toBeDefined());
  expect(saves(calls)).toHaveLength(1);
  expect(screen.queryByText(/changed this report/)).toBeNull();
});

test('text typed while a report is created is saved in that report, and no second report is created', async () => {
  const { state, calls, letGo: release } = slowServer({ stored: null });
  showPanel();
  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  const editor = await editorIn();
  write(editor, '<p>First.</p>');
  fireEvent.keyDown(editor.view.dom, { key: 's', ctrlKey: true });
  await waitFor(() => expect(saves(calls)).toHaveLength(1));

  write(editor, '<p>First. Second.</p>');
  fireEvent.keyDown(editor.view.dom, { key: 's', ctrlKey: true });
  release();

  await waitFor(() => expect(state.stored?.content).toBe('<p>First. Second.</p>'));
  expect(saves(calls)).toMatchObject([{ content: '<p>First.</p>' }, { content: '<p>First. Second.</p>', revision: 1 }]);
});
