import { type Autosave, reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { saveUnsaved } from '#core/state/unsaved-texts.ts';
import { answer, type SentRequest, serve, show, signIn } from '#test/screen.tsx';
import { unsavedTexts } from '#test/unsaved-texts.ts';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';

const janet = { id: 'p2', patientName: 'Doe, Janet', patientId: 'P-2' };

const janesText = '<p>Jane has a mass.</p>';

const showPanel = () => {
  const routeTree = createRootRoute({
    staticData: { can: 'public' },
    component: () => <ReportPanel studyId="s1" />,
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

/** Server that accepts a text only for the current patient of the study. */
const server = ({ patient = jane, stored = null as Report | null, kept = [] as Autosave[] } = {}) => {
  const state = { patient, stored, kept };
  const store = ({ body }: SentRequest) => {
    const { patientId, revision, content } = body as { patientId?: string; revision?: number; content: string };
    const isSeen = state.stored ? revision === state.stored.revision : patientId === state.patient.id;
    if (!isSeen) {
      const message = 'The study was moved to another patient. It now belongs to Doe, Janet.';
      return Response.json({ code: 409, error: 'report.refiled', message, traceId: 't' }, { status: 409 });
    }
    state.stored = reportFor({ ...state.stored, content, revision: (state.stored?.revision ?? 0) + 1 });
    return Response.json({ code: 200, message: 'OK', data: state.stored });
  };
  const calls = serve(
    answer(reports.ofStudy, () => ({
      report: state.stored,
      patient: state.patient,
      canCreate: state.stored === null,
      reasons: [],
      readingBy: null,
    })),
    { ...answer(reports.create, () => reportFor()), reply: store },
    { ...answer(reports.save, () => reportFor()), reply: store },
    answer(reportAutosaves.find, () => state.kept),
    answer(reportAutosaves.keep, ({ body }) => ({
      id: (body as { id: string }).id,
      savedAt: new Date().toISOString(),
    })),
    answer(reportAutosaves.giveUp, () => {
      state.kept = [];
    }),
  );
  return { state, calls };
};

const textKept = (overrides: Partial<Autosave> = {}): Autosave => ({
  id: 'k1',
  reportId: null,
  baseRevision: null,
  patient: jane,
  content: janesText,
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  savedAt: new Date().toISOString(),
  ...overrides,
});

/** Makes the page visible again, so that it refetches all data. */
const lookAgain = () => act(() => void window.dispatchEvent(new Event('visibilitychange')));

const leavePage = () => act(() => void window.dispatchEvent(new Event('pagehide')));

/** Returns every text sent: autosaves by PUT, saves by POST. */
const sentTexts = (calls: SentRequest[]) =>
  calls.filter(({ body }) => Object.hasOwn(body ?? {}, 'content')).map(({ method, body }) => [method, body]);

const question = () => screen.findByText(/^This text was written for/);

/** Writes a text about Jane in a study that then moves to Janet. */
const beginForJane = async (options: Parameters<typeof server>[0] = {}) => {
  const { state, calls } = server(options);
  showPanel();
  if (!options.stored) await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  write(await editorIn(), janesText);
  await screen.findByText('Not saved');
  state.patient = janet;
  return { state, calls };
};

test('after the study moved, the writer is asked to confirm the new patient before any text is sent', async () => {
  const { calls } = await beginForJane();
  lookAgain();

  const notice = await question();
  expect(notice.textContent).toMatch(
    /written for Doe, Jane \(P-1\)\. The study now belongs to Doe, Janet \(P-2\)\. .*filled in by a template do not change/,
  );
  leavePage();
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await userEvent.keyboard('{Control>}s{/Control}');

  expect(sentTexts(calls)).toEqual([]);
  expect(document.activeElement?.textContent).toBe('This text is about Doe, Janet (P-2)');
  expect((await editorIn()).getText()).toBe('Jane has a mass.');
});

test('a text for the new patient is autosaved and saved after its writer confirms', async () => {
  const { calls } = await beginForJane();
  lookAgain();
  await question();

  await userEvent.click(screen.getByRole('button', { name: 'This text is about Doe, Janet (P-2)' }));
  expect(screen.queryByText(/^This text was written for/)).toBeNull();
  leavePage();
  await screen.findByText(/^Autosaved/);
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  await screen.findByText('Report created successfully');
  expect(sentTexts(calls)).toMatchObject([
    ['PUT', { patientId: janet.id, content: janesText }],
    ['POST', { patientId: janet.id, content: janesText }],
  ]);
});

test('the dialog shows a text about the former patient before it is discarded', async () => {
  const { calls } = await beginForJane();
  lookAgain();
  await question();

  await userEvent.click(screen.getByRole('button', { name: 'Discard this text' }));
  const dialog = await screen.findByRole('dialog', { name: 'Discard this text?' });
  expect(within(dialog).getByText('Jane has a mass.')).toBeDefined();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Discard text' }));

  await waitFor(() => expect(screen.queryByText(/^This text was written for/)).toBeNull());
  write(await editorIn(), '<p>Janet is well.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await screen.findByText('Report created successfully');
  expect(sentTexts(calls)).toMatchObject([['POST', { patientId: janet.id, content: '<p>Janet is well.</p>' }]]);
});

test('if the writer does not discard the text, the text stays in the editor, and the question stays open', async () => {
  await beginForJane();
  lookAgain();
  await question();

  await userEvent.click(screen.getByRole('button', { name: 'Discard this text' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep text' }));

  expect((await editorIn()).getText()).toBe('Jane has a mass.');
  expect(await question()).toBeDefined();
});

test('a save refused because of a move asks the writer to confirm the patient', async () => {
  const { state } = await beginForJane();

  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await question();
  await userEvent.click(screen.getByRole('button', { name: 'This text is about Doe, Janet (P-2)' }));

  // The error of the first attempt no longer applies.
  expect(screen.queryByText('The study was moved to another patient. It now belongs to Doe, Janet.')).toBeNull();
  expect(state.stored).toBeNull();
});

test('the writer is also asked about a text for a stored report, and continues with the moved report', async () => {
  const { state, calls } = await beginForJane({ stored: reportFor() });
  const { patientName, patientId } = janet;
  state.stored = reportFor({ revision: 2, refiledAt: '2026-11-21T11:00:00Z', patientName, patientId });

  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await question();
  await userEvent.click(screen.getByRole('button', { name: 'This text is about Doe, Janet (P-2)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  await screen.findByText('Draft updated successfully');
  expect(sentTexts(calls)).toMatchObject([
    ['POST', { revision: 1 }],
    ['POST', { revision: 2, content: janesText }],
  ]);
});

test('after the move, the writer is also offered the differences when a colleague changed the report', async () => {
  const { state } = await beginForJane({ stored: reportFor() });
  state.stored = reportFor({ revision: 3, refiledAt: '2026-11-21T11:00:00Z' });
  lookAgain();
  await question();

  await userEvent.click(screen.getByRole('button', { name: 'This text is about Doe, Janet (P-2)' }));

  expect(await screen.findByRole('button', { name: 'Show differences' })).toBeDefined();
});

test('the writer is asked about an autosave for the former patient from another computer', async () => {
  const { calls } = server({ patient: janet, kept: [textKept()] });
  showPanel();

  expect(await question()).toBeDefined();
  leavePage();
  expect((await editorIn()).getText()).toBe('Jane has a mass.');
  expect(sentTexts(calls)).toEqual([]);
});

test('the writer is asked about a copy for the former patient in this browser', async () => {
  await beginForJane();
  await waitFor(() => expect(JSON.stringify(unsavedTexts())).toContain('Jane has a mass.'));
  document.body.replaceChildren();

  showPanel();

  expect(await question()).toBeDefined();
});

const fromBefore = {
  content: janesText,
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  at: '2026-11-20T10:00:00Z',
};

test('the writer is asked about a first text whose patient is unknown', async () => {
  signIn();
  server();
  saveUnsaved('report-of-study.s1', { ...fromBefore, revision: null });

  showPanel();

  expect(await screen.findByText(/^The patient for whom this text was written is unknown\./)).toBeDefined();
});

test("a text on the report's current revision needs no question, because a move changes the revision", async () => {
  signIn();
  server({ stored: reportFor() });
  saveUnsaved('report-of-study.s1', { ...fromBefore, reportId: 'r1', revision: 1 });

  showPanel();

  expect((await editorIn()).getText()).toBe('Jane has a mass.');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a writer who has typed nothing is not asked, and writes about the new patient', async () => {
  const { state, calls } = server();
  showPanel();
  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  await editorIn();
  state.patient = janet;
  const readCount = () => calls.filter(({ method }) => method === 'GET').length;
  const before = readCount();
  lookAgain();
  await waitFor(() => expect(readCount()).toBeGreaterThan(before));
  await act(async () => {});

  write(await editorIn(), '<p>Janet is well.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  await screen.findByText('Report created successfully');
  expect(sentTexts(calls)).toMatchObject([['POST', { patientId: janet.id }]]);
});
