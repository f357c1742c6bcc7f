import { autosaveIntervalMs, type Autosave, reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { saveSession, readSession } from '#core/state/session.ts';
import { answer, refuse, type SentRequest, serve, show, textKeyFor } from '#test/screen.tsx';
import { leaveUnsaved, unsavedTexts } from '#test/unsaved-texts.ts';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';

const showPanel = () => {
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: () => <ReportPanel studyId="s1" /> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

const now = () => new Date().toISOString();

const textKept = (overrides: Partial<Autosave> = {}): Autosave => ({
  id: 'k-elsewhere',
  reportId: 'r1',
  baseRevision: 1,
  patient: jane,
  content: '<p>From another machine</p>',
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  savedAt: now(),
  ...overrides,
});

/** Server with the rules of the real server: an autosave replaces only the autosave that it names. */
const server = ({ stored = reportFor() as Report | null, kept = [] as Autosave[] } = {}) => {
  const state = { stored, kept, answering: Promise.resolve() };
  const calls = serve(
    answer(reports.ofStudy, async () => {
      await state.answering;
      return {
        report: state.stored,
        patient: jane,
        canCreate: state.stored === null,
        reasons: [],
        readingBy: null,
      };
    }),
    answer(reports.create, ({ body }) => {
      const { content } = body as { content: string };
      state.kept = [];
      state.stored = reportFor({ content });
      return state.stored;
    }),
    answer(reports.save, ({ body }) => {
      const { content } = body as { content: string };
      state.kept = [];
      state.stored = { ...(state.stored ?? reportFor()), content, revision: (state.stored?.revision ?? 0) + 1 };
      return state.stored;
    }),
    answer(reportAutosaves.find, () => state.kept),
    answer(reportAutosaves.giveUp, () => {
      state.kept = [];
    }),
    {
      ...answer(reportAutosaves.keep, () => ({ id: '', savedAt: '' })),
      reply: ({ body }: SentRequest) => {
        const { replaces, patientId, ...text } = body as Omit<Autosave, 'savedAt' | 'patient'> & {
          replaces: string | null;
          patientId: string | null;
        };
        const [known] = state.kept;
        if (known && known.id !== replaces) {
          return Response.json(
            { code: 409, error: 'report.kept_elsewhere', message: 'Another text of yours', traceId: 't' },
            { status: 409 },
          );
        }
        const autosave = { ...text, patient: patientId === jane.id ? jane : null, savedAt: now() };
        state.kept = [autosave];
        return Response.json({ code: 200, message: 'OK', data: { id: autosave.id, savedAt: autosave.savedAt } });
      },
    },
  );
  return { state, calls };
};

/** Hides the page, as when the user changes tabs or locks a phone. */
const hidePage = () => {
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  hidden.mockRestore();
};

const keeps = (calls: SentRequest[]) =>
  calls.filter(({ method, url }) => method === 'PUT' && url.pathname.endsWith('/kept-text')).map(({ body }) => body);

const stored = () => Object.entries(localStorage);

const localTexts = () =>
  unsavedTexts<{ content: string }>().map(({ name, value }) => ({ name, content: value.content }));

test('the editor autosaves every ten seconds while the text changes, and shows the time', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { calls } = server();
  showPanel();
  write(await editorIn(), '<p>Half a sentence</p>');
  expect(await screen.findByText('Not saved')).toBeDefined();
  expect(keeps(calls)).toEqual([]);

  expect(autosaveIntervalMs).toBe(10_000);
  act(() => void vi.advanceTimersByTime(autosaveIntervalMs));

  expect(await screen.findByText(/^Autosaved \d\d:\d\d$/)).toBeDefined();
  expect(keeps(calls)).toEqual([
    {
      id: expect.any(String),
      reportId: 'r1',
      baseRevision: 1,
      patientId: jane.id,
      content: '<p>Half a sentence</p>',
      hasCriticalFindings: false,
      criticalFindingsDetails: '',
      replaces: null,
    },
  ]);
  act(() => void vi.advanceTimersByTime(5 * autosaveIntervalMs));
  expect(keeps(calls)).toHaveLength(1);
  write(await editorIn(), '<p>Half a sentence more</p>');
  expect(await screen.findByText('Not saved')).toBeDefined();
  act(() => void vi.advanceTimersByTime(autosaveIntervalMs));
  await waitFor(() => expect(keeps(calls)).toHaveLength(2));
  const [first, second] = keeps(calls) as { id: string; replaces: string | null }[];
  expect(second?.replaces).toBe(first?.id);
});

test('the editor autosaves at once when the page becomes hidden', async () => {
  const { state } = server();
  showPanel();
  write(await editorIn(), '<p>Half a sen</p>');

  hidePage();

  await waitFor(() => expect(state.kept).toMatchObject([{ content: '<p>Half a sen</p>' }]));
});

test('an autosave does not change the report or its revision', async () => {
  const { state, calls } = server();
  showPanel();
  write(await editorIn(), '<p>Half a sen</p>');

  hidePage();
  await screen.findByText(/^Autosaved/);

  expect(state.stored?.revision).toBe(1);
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('the copy in the browser stays until the server has acknowledged the autosave', async () => {
  const acknowledge: (() => void)[] = [];
  serve(
    answer(reports.ofStudy, () => ({
      report: reportFor(),
      patient: jane,
      canCreate: false,
      reasons: [],
      readingBy: null,
    })),
    answer(reportAutosaves.keep, async () => {
      await new Promise<void>((resolve) => acknowledge.push(resolve));
      return { id: 'k1', savedAt: now() };
    }),
  );
  showPanel();
  write(await editorIn(), '<p>Half a sen</p>');
  hidePage();

  await waitFor(() => expect(acknowledge).toHaveLength(1));
  expect(localTexts()).toMatchObject([{ content: '<p>Half a sen</p>' }]);
  acknowledge[0]?.();

  expect(await screen.findByText(/^Autosaved/)).toBeDefined();
  expect(localTexts()).toEqual([]);
});

test('after a failed autosave the text stays in the browser and counts as unsaved', async () => {
  serve(
    answer(reports.ofStudy, () => ({
      report: reportFor(),
      patient: jane,
      canCreate: false,
      reasons: [],
      readingBy: null,
    })),
    refuse(reportAutosaves.keep, 503, 'Not now'),
  );
  showPanel();
  write(await editorIn(), '<p>Half a sen</p>');

  hidePage();

  await waitFor(() => expect(localTexts()).toMatchObject([{ content: '<p>Half a sen</p>' }]));
  expect(screen.getByText('Not saved')).toBeDefined();
});

test('a tab that ends suddenly loses at most the last keystrokes', async () => {
  const { state } = server();
  const { unmount } = showPanel();
  write(await editorIn(), '<p>Half a sentence</p>');
  await waitFor(() => expect(localTexts()).toMatchObject([{ content: '<p>Half a sentence</p>' }]));
  const storedEntries = stored();
  unmount();
  // Simulates a tab that closed before any autosave.
  await waitFor(() => expect(state.kept).toHaveLength(1));
  state.kept = [];
  for (const [key, text] of storedEntries) localStorage.setItem(key, String(text));
  showPanel();

  expect((await editorIn()).getText()).toBe('Half a sentence');
  expect(screen.getByText(/^Your text of .* was restored\. It is not saved\.$/)).toBeDefined();
});

test('no text is lost when a session expires during typing: it returns after the user signs in', async () => {
  serve(
    answer(reports.ofStudy, () => ({
      report: reportFor(),
      patient: jane,
      canCreate: false,
      reasons: [],
      readingBy: null,
    })),
    refuse(reportAutosaves.keep, 401, 'Session expired'),
  );
  const { unmount } = showPanel();
  const session = readSession();
  const editor = await editorIn();
  write(editor, '<p>Before the end.</p>');
  hidePage();
  await waitFor(() => expect(readSession()).toBeUndefined());

  write(editor, '<p>Before the end. And after it.</p>');
  unmount();
  if (session) saveSession(session);
  server();
  showPanel();

  expect((await editorIn()).getText()).toBe('Before the end. And after it.');
});

test('a user who signs in meanwhile does not autosave the text of another author', async () => {
  const { calls } = server();
  const { unmount } = showPanel();
  const session = readSession();
  write(await editorIn(), '<p>Hers.</p>');
  if (session)
    saveSession({ ...session, token: 'other', textKey: textKeyFor('u9'), user: { ...session.user, id: 'u9' } });

  hidePage();
  unmount();

  expect(keeps(calls)).toEqual([]);
  expect(Object.keys(localStorage).filter((place) => place.startsWith('unsaved.'))).toHaveLength(1);
  expect(localTexts()).toMatchObject([{ content: '<p>Hers.</p>' }]);
});

test('an autosave is restored on another computer, with the time of writing', async () => {
  const { calls } = server({ kept: [textKept()] });

  showPanel();

  expect((await editorIn()).getText()).toBe('From another machine');
  expect(screen.getByText(/^Your text of .* was restored\. It is not saved\.$/)).toBeDefined();
  expect(screen.getByText(/^Autosaved/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  expect(await screen.findByText('Draft updated successfully')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ keptTextId: 'k-elsewhere', revision: 1 });
});

test('an autosave of a report that was never saved is restored', async () => {
  server({ stored: null, kept: [textKept({ reportId: null, baseRevision: null })] });

  showPanel();

  expect((await editorIn()).getText()).toBe('From another machine');
});

test('a later text in the browser is opened instead of the autosave', async () => {
  const { state } = server();
  const { unmount } = showPanel();
  write(await editorIn(), '<p>First.</p>');
  hidePage();
  await screen.findByText(/^Autosaved/);
  write(await editorIn(), '<p>First. Second.</p>');
  await waitFor(() => expect(localTexts()).toMatchObject([{ content: '<p>First. Second.</p>' }]));
  const [storedEntries, keptThen] = [stored(), state.kept];
  unmount();
  await waitFor(() => expect(state.kept).not.toEqual(keptThen));
  state.kept = keptThen;
  for (const [key, text] of storedEntries) localStorage.setItem(key, String(text));
  showPanel();

  expect((await editorIn()).getText()).toBe('First. Second.');
  expect(screen.queryByText(/in another window/)).toBeNull();
});

test('a page that closed before its autosave was answered offers only one text afterwards', async () => {
  const { state } = server();
  const { unmount } = showPanel();
  write(await editorIn(), '<p>On the way</p>');
  await waitFor(() => expect(localTexts()).toHaveLength(1));
  const [{ name, value } = { name: '', value: {} }] = unsavedTexts<object>();
  unmount();
  await waitFor(() => expect(state.kept).toHaveLength(1));
  // The stored copy knows the ID of the request, but not the answer of the server.
  leaveUnsaved(name, { ...value, sentId: state.kept[0]?.id });

  showPanel();

  expect((await editorIn()).getText()).toBe('On the way');
  expect(screen.queryByText(/in another window|was never saved/)).toBeNull();
  expect(localTexts()).toMatchObject([{ name, content: '<p>On the way</p>' }]);
});

const older = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test('of two unrelated unsaved texts, the newer is opened and the other is offered', async () => {
  server({ kept: [textKept({ savedAt: older(1) })] });
  leaveUnsaved('report-of-study.s1.other', {
    reportId: 'r1',
    content: '<p>Older, here</p>',
    hasCriticalFindings: false,
    criticalFindingsDetails: '',
    revision: 1,
    at: older(9),
    keptId: null,
  });

  showPanel();

  expect((await editorIn()).getText()).toBe('From another machine');
  await userEvent.click(screen.getByRole('button', { name: 'Show my text' }));
  expect(await screen.findByText('Older, here')).toBeDefined();
});

test('if the report changed after the unsaved text, both texts are shown, and the writer decides', async () => {
  server({
    stored: reportFor({ revision: 2, content: '<p>A colleague’s.</p>' }),
    kept: [textKept({ baseRevision: 1 })],
  });

  showPanel();

  expect((await editorIn()).getText()).toBe('From another machine');
  expect(await screen.findByText(/^Rex Reviewer changed this report on/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Show differences' }));
  expect(await screen.findByText(/colleague/)).toBeDefined();
});

test('a second window stores its text in the browser and keeps the autosave of the first', async () => {
  const { state } = server();
  showPanel();
  const editor = await editorIn();
  state.kept = [textKept()];
  write(editor, '<p>Of this window</p>');

  hidePage();

  expect(await screen.findByText(/^You saved another text of this report in another window on/)).toBeDefined();
  expect(state.kept).toMatchObject([{ content: '<p>From another machine</p>' }]);
  expect(localTexts()).toEqual([
    {
      name: expect.stringMatching(/^report-of-study\.s1\.[\da-f-]{36}$/),
      content: '<p>Of this window</p>',
    },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Show other text' }));
  expect(await screen.findByText('From another machine')).toBeDefined();
});

const loseToAnotherWindow = async () => {
  const opened = server();
  showPanel();
  const editor = await editorIn();
  opened.state.kept = [textKept()];
  write(editor, '<p>Of this window</p>');
  hidePage();
  await screen.findByText(/^You saved another text of this report in another window on/);
  return opened;
};

test('each window that stopped autosaving keeps its own text, and all texts are offered', async () => {
  const keep = (name: string, content: string, minutes: number) =>
    leaveUnsaved(`report-of-study.s1.${name}`, {
      reportId: 'r1',
      content,
      hasCriticalFindings: false,
      criticalFindingsDetails: '',
      revision: 1,
      at: older(minutes),
      keptId: null,
    });
  keep('one', '<p>First window</p>', 9);
  keep('two', '<p>Second window</p>', 8);
  keep('three', '<p>Third window</p>', 7);
  const { state } = server({ kept: [textKept({ savedAt: older(1) })] });
  showPanel();
  const editor = await editorIn();
  state.kept = [textKept({ id: '0197c0de-0000-7000-8000-0000000000cc', savedAt: older(0) })];
  write(editor, '<p>Fourth window</p>');
  hidePage();

  expect(await screen.findByText(/^You saved another text of this report in another window on/)).toBeDefined();
  expect(
    localTexts()
      .map(({ content }) => content)
      .toSorted(),
  ).toEqual(['<p>First window</p>', '<p>Fourth window</p>', '<p>Second window</p>', '<p>Third window</p>']);
  expect(screen.getAllByRole('button', { name: 'Show my text' })).toHaveLength(3);
  await userEvent.click(screen.getAllByRole('button', { name: 'Show my text' })[1] ?? document.body);
  expect(await screen.findByText('Second window')).toBeDefined();
});

test('the writer can replace the text of the other window by the text of this window', async () => {
  const { state } = await loseToAnotherWindow();

  await userEvent.click(screen.getByRole('button', { name: 'Keep this text' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard other text' }));
  hidePage();

  await waitFor(() => expect(state.kept).toMatchObject([{ content: '<p>Of this window</p>' }]));
  expect(screen.queryByText(/in another window/)).toBeNull();
});

test('the writer can continue the text of the other window in this window', async () => {
  await loseToAnotherWindow();

  await userEvent.click(screen.getByRole('button', { name: 'Use other text' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard this text' }));

  await waitFor(async () => expect((await editorIn()).getText()).toBe('From another machine'));
  expect(localTexts()).toEqual([]);
});

test('discarding an unsaved text for the saved text also deletes its autosave', async () => {
  const { state } = server({
    stored: reportFor({ revision: 2, content: '<p>Theirs.</p>' }),
    kept: [textKept({ baseRevision: 1 })],
  });
  showPanel();
  await screen.findByText(/^Rex Reviewer changed this report on/);

  await userEvent.click(screen.getByRole('button', { name: 'Use saved text' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard my text' }));

  await waitFor(() => expect(state.kept).toEqual([]));
  expect((await editorIn()).getText()).toBe('Theirs.');
});

test('the writer sees the autosave of a report that can no longer be edited', async () => {
  server({ stored: reportFor({ status: 'FINALIZED', content: '<p>Signed.</p>' }), kept: [textKept()] });

  showPanel();
  await userEvent.click(await screen.findByRole('button', { name: 'Show my text' }));

  expect(await screen.findByText('From another machine')).toBeDefined();
});

test('a text just saved as a new report does not count as unsaved, even during a slow fetch', async () => {
  const { state } = server({ stored: null });
  showPanel();
  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  write(await editorIn(), '<p>Whole.</p>');
  hidePage();
  await screen.findByText(/^Autosaved/);
  state.answering = new Promise(() => {});

  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByRole('button', { name: 'Request review' })).toBeDefined();
  expect(screen.queryByText(/was never saved/)).toBeNull();
});

test('opening a report without unsaved changes shows the saved text', async () => {
  server();
  const { unmount } = showPanel();
  write(await editorIn(), '<p>Whole.</p>');
  hidePage();
  await screen.findByText(/^Autosaved/);
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await screen.findByText('Draft updated successfully');

  unmount();
  showPanel();

  expect((await editorIn()).getText()).toBe('Whole.');
  expect(screen.queryByText(/was restored/)).toBeNull();
});
