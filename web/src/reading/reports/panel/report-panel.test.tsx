import type { Report } from '@radwork/contract/reading/reports';
import { reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answer, refuse, type SentRequest, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, stubCanvas, write } from '#test/written-report.ts';
import { ReportPanel } from './report-panel.tsx';

const showPanel = (studyId = 's1', more: Partial<Parameters<typeof ReportPanel>[0]> = {}) => {
  const routeTree = createRootRoute({
    staticData: { can: 'public' },
    component: () => <ReportPanel studyId={studyId} {...more} />,
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

const ofStudy = (report: Report | null, canCreate = report === null) =>
  answer(reports.ofStudy, () => ({
    report,
    patient: jane,
    canCreate,
    reasons: canCreate ? [] : ['Not you'],
    readingBy: null,
  }));

const storedVersion = {
  version: 1,
  status: 'DRAFT',
  action: 'SAVED',
  actor: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
  at: '2026-11-21T10:00:00Z',
  comment: '',
  contentHash: '',
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
} as const;

/** Server that stores each save. */
const keeping = (first: Report | null) => {
  let stored = first;
  const store = (change: Partial<Report>) => {
    stored = { ...(stored ?? reportFor()), ...change, revision: (stored?.revision ?? 0) + 1 };
    return stored;
  };
  const contentOf = ({ body }: SentRequest) => (body as { content: string }).content;
  return [
    answer(reports.ofStudy, () => ({
      report: stored,
      patient: jane,
      canCreate: stored === null,
      reasons: [],
      readingBy: null,
    })),
    answer(reports.create, (sent) => store({ content: contentOf(sent) })),
    answer(reports.save, (sent) => store({ content: contentOf(sent) })),
    answer(reports.finalize, (sent) =>
      store(reportFor({ status: 'FINALIZED', content: contentOf(sent), finalizedAt: '2026-11-21T12:00:00Z' })),
    ),
  ];
};

/** Text of a template that is ready for the report of a patient. */
const readyWith = (html: string, patientRecordId = jane.id) => ({
  readyText: { html, patientRecordId },
  isPending: false,
});

const bodies = (calls: SentRequest[], method = 'POST') =>
  calls.filter((sent) => sent.method === method).map(({ body }) => body);

test('a study without a report offers to create a report, and the first save creates it', async () => {
  const calls = serve(...keeping(null));
  showPanel();
  expect(await screen.findByText('No report has been created for this study yet.')).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Create report' }));
  write(await editorIn(), '<p>No acute finding.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('Report created successfully')).toBeDefined();
  expect(await screen.findByText('Draft')).toBeDefined();
  expect(bodies(calls)).toEqual([
    {
      content: '<p>No acute finding.</p>',
      patientId: jane.id,
      hasCriticalFindings: false,
      criticalFindingsDetails: '',
    },
  ]);
  expect(screen.queryByText(/was never saved/)).toBeNull();
});

test('the panel shows a user why they may not begin a report', async () => {
  serve(ofStudy(null, false));
  showPanel();

  expect(await screen.findByText('Not you')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Create report' })).toBeNull();
});

test('an empty text is not sent', async () => {
  const calls = serve(...keeping(null));
  showPanel();
  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  await editorIn();

  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('Report content is required')).toBeDefined();
  expect(bodies(calls)).toEqual([]);
});

test('typing clears the error message of the editor', async () => {
  serve(...keeping(reportFor({ content: '<p></p>' })));
  showPanel();
  const editor = await editorIn();
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await screen.findByText('Report content is required');

  write(editor, '<p>Effusion.</p>');

  await waitFor(() => expect(screen.queryByText('Report content is required')).toBeNull());
});

test('a text whose images make it larger than 5 MB is not sent', { timeout: 90_000 }, async () => {
  const calls = serve(...keeping(reportFor()));
  // If a text is too large for the browser storage, it stays in memory. Removes it before the next test.
  showPanel('large');

  write(await editorIn(), `<p>Words</p><img src="data:image/png;base64,${'A'.repeat(5_000_000)}">`);
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  // jsdom is slow with 5 MB, more so on a busy machine.
  expect(await screen.findByText('The report is larger than 5 MB', {}, { timeout: 60_000 })).toBeDefined();
  expect(bodies(calls)).toEqual([]);
});

test('saving a report with critical findings requires their details', async () => {
  const calls = serve(...keeping(reportFor()));
  showPanel();
  await editorIn();

  await userEvent.click(screen.getByRole('checkbox', { name: 'This report has critical findings' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('Critical findings details are required')).toBeDefined();
  expect(bodies(calls)).toEqual([]);
});

test('Tab moves from the text to a control without activating it, and further typing goes into the text', async () => {
  serve(...keeping(reportFor()));
  showPanel();
  const editor = await editorIn();
  const flag = screen.getByRole('checkbox', { name: 'This report has critical findings' });
  editor.view.dom.focus();

  await userEvent.tab();
  const next = document.activeElement;
  await userEvent.keyboard(' and so on {Enter}');

  expect(next?.textContent).toBe('Return to text');
  expect(document.activeElement).toBe(editor.view.dom);
  expect(flag).toHaveProperty('checked', false);
  await userEvent.tab();
  await userEvent.tab();
  expect(document.activeElement).toBe(flag);
});

test('Tab moves from the critical details to a control without activating it, and typing returns to the details', async () => {
  serve(...keeping(reportFor()));
  showPanel();
  await editorIn();
  await userEvent.click(screen.getByRole('checkbox', { name: 'This report has critical findings' }));
  const details = await screen.findByLabelText(/Critical findings details/);
  details.focus();

  await userEvent.tab();
  const next = document.activeElement;
  await userEvent.keyboard('{Enter}');

  expect(next?.textContent).toBe('Return to text');
  expect(document.activeElement).toBe(details);
});

test('a save names the revision on which the text is based', async () => {
  const calls = serve(...keeping(reportFor({ revision: 4 })));
  showPanel();

  write(await editorIn(), '<p>Effusion.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('Draft updated successfully')).toBeDefined();
  expect(bodies(calls)).toMatchObject([{ content: '<p>Effusion.</p>', revision: 4 }]);
});

test('opening a report again restores its unsaved text', async () => {
  serve(...keeping(reportFor()));
  const { unmount } = showPanel();
  write(await editorIn(), '<p>Half a sentence</p>');
  expect(await screen.findByText('Not saved')).toBeDefined();

  unmount();
  showPanel();

  expect((await editorIn()).getText()).toBe('Half a sentence');
  expect(screen.getByText(/^Your text of .* was restored\. It is not saved\.$/)).toBeDefined();
});

test('a saved text is not offered again as unsaved', async () => {
  serve(...keeping(reportFor()));
  const { unmount } = showPanel();
  write(await editorIn(), '<p>Effusion.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await screen.findByText('Draft updated successfully');

  unmount();
  showPanel();

  expect((await editorIn()).getText()).toBe('Effusion.');
  expect(screen.queryByText(/was restored/)).toBeNull();
});

test('a conflict names the colleague who saved first, and keeps the text until the writer decides', async () => {
  const mine = reportFor();
  const othersReport = reportFor({ revision: 2, content: '<p>Theirs.</p>' });
  let stored = mine;
  serve(
    answer(reports.ofStudy, () => ({ report: stored, patient: jane, canCreate: false, reasons: [], readingBy: null })),
    refuse(reports.save, 409, 'The report was changed 2026-11-21 14:05 by Rex Reviewer.'),
  );
  showPanel();
  write(await editorIn(), '<p>Mine.</p>');
  stored = othersReport;

  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('The report was changed 2026-11-21 14:05 by Rex Reviewer.')).toBeDefined();
  expect(await screen.findByText(/^Rex Reviewer changed this report on/)).toBeDefined();
  expect((await editorIn()).getText()).toBe('Mine.');
  await userEvent.click(screen.getByRole('button', { name: 'Keep my text' }));
  expect(screen.queryByText(/^Rex Reviewer changed this report on/)).toBeNull();
  expect((await editorIn()).getText()).toBe('Mine.');
});

const ofAnother = (overrides: Partial<Report> = {}) =>
  reportFor({
    revision: 2,
    refiledAt: '2026-11-21T11:00:00Z',
    patientName: 'Doe, Janet',
    patientId: 'P-2',
    ...overrides,
  });

test.each(['DRAFT', 'PENDING_REVIEW', 'APPROVED'] as const)(
  'a report that is %s warns that its study has moved to another patient',
  async (status) => {
    serve(ofStudy(ofAnother({ status })));
    showPanel();

    expect(await screen.findByText('Doe, Janet (P-2)')).toBeDefined();
    expect(screen.getByText(/^The study was moved to /)).toBeDefined();
  },
);

test("a study that moves after the writer's confirmation needs another confirmation before signing", async () => {
  stubCanvas();
  let stored = reportFor({ signatureRequired: false });
  const calls = serve(
    answer(reports.ofStudy, () => ({ report: stored, patient: jane, canCreate: false, reasons: [], readingBy: null })),
    answer(reports.finalize, () => ofAnother({ status: 'FINALIZED' })),
  );
  showPanel();
  await editorIn();
  await userEvent.click(screen.getByRole('button', { name: 'Finalize' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /^I confirm/ }));
  stored = ofAnother({ signatureRequired: false });
  // Makes the page visible again, so that it fetches the report again.
  window.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findAllByText('Doe, Janet (P-2)')).not.toEqual([]);

  await userEvent.click(screen.getByRole('button', { name: 'Finalize report' }));

  expect(await screen.findByText('Please confirm the report accuracy')).toBeDefined();
  expect(bodies(calls)).toEqual([]);
});

test('the writer can still read a text that can no longer be saved', async () => {
  let stored = reportFor();
  serve(
    answer(reports.ofStudy, () => ({ report: stored, patient: jane, canCreate: false, reasons: [], readingBy: null })),
    refuse(reports.save, 409, 'The report is Finalized and cannot be edited'),
  );
  showPanel();
  write(await editorIn(), '<p>Too late.</p>');
  stored = reportFor({ status: 'FINALIZED', content: '<p>Signed.</p>' });

  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('Signed.')).toBeDefined();
  await userEvent.click(await screen.findByRole('button', { name: 'Show my text' }));
  expect(await screen.findByText('Too late.')).toBeDefined();
});

test('a failed save shows a default message if the server gives none', async () => {
  serve(ofStudy(reportFor()), {
    ...refuse(reports.save, 500, ''),
    reply: () => new Response('<html>', { status: 502 }),
  });
  showPanel();

  write(await editorIn(), '<p>Effusion.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('Error saving draft')).toBeDefined();
  expect(screen.getByText('Not saved')).toBeDefined();
});

test('a report is finalized only with the confirmation and a signature', async () => {
  stubCanvas();
  const calls = serve(...keeping(reportFor()));
  showPanel();
  await editorIn();
  await userEvent.click(screen.getByRole('button', { name: 'Finalize' }));
  const confirmText = 'I confirm that this report is complete and accurate';

  await userEvent.click(await screen.findByRole('button', { name: 'Finalize report' }));
  expect(await screen.findByText('Signature is required')).toBeDefined();
  expect(screen.getByText('Please confirm the report accuracy')).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'Type' }));
  await userEvent.click(screen.getByRole('button', { name: 'Finalize report' }));
  expect(bodies(calls)).toEqual([]);
  await userEvent.click(screen.getByRole('checkbox', { name: confirmText }));
  await userEvent.click(screen.getByRole('button', { name: 'Finalize report' }));

  expect(await screen.findByText('Report finalized successfully')).toBeDefined();
  expect(bodies(calls)).toEqual([
    {
      content: '<p>Stored.</p>',
      revision: 1,
      signatureData: 'data:image/png;base64,c2lnbmF0dXJl',
      typedName: 'Mona Haddad',
    },
  ]);
  expect(await screen.findByText('Finalized')).toBeDefined();
});

test('in reading mode the editor opens with the text of the template, and nothing is sent before the user acts', async () => {
  const calls = serve(...keeping(null));
  showPanel('s1', { startsWriting: true, ready: readyWith('<p>Lungs: clear.</p>') });

  expect((await editorIn()).getText()).toBe('Lungs: clear.');
  expect(screen.getByText('From template. Nothing is saved yet.')).toBeDefined();
  expect(bodies(calls)).toEqual([]);

  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await screen.findByText('Report created successfully');
  expect(bodies(calls)).toMatchObject([{ content: '<p>Lungs: clear.</p>' }]);
});

test('looking at filled parts of the template is no change, and the first save keeps the mark of the other parts', async () => {
  const calls = serve(...keeping(null));
  const html = '<p><span data-filled="dose">5 mGy</span></p><p><span data-filled="contrast agent">Iohexol</span></p>';
  showPanel('s1', { startsWriting: true, ready: readyWith(html) });
  const editor = await editorIn();

  editor.commands.setTextSelection(3);
  window.dispatchEvent(new Event('pagehide'));

  expect(screen.getByText('From template. Nothing is saved yet.')).toBeDefined();
  // The reading lock is renewed by PUT; an autosave would hold the text.
  expect(calls.filter(({ body }) => Object.hasOwn(body ?? {}, 'content'))).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));
  await screen.findByText('Report created successfully');
  expect(bodies(calls)).toMatchObject([
    { content: '<p>5 mGy</p><p><span data-filled="contrast agent">Iohexol</span></p>' },
  ]);
});

test('a template that was filled for another patient is not offered', async () => {
  serve(...keeping(null));
  showPanel('s1', { startsWriting: true, ready: readyWith('<p>Lungs: clear.</p>', 'p2') });

  expect((await editorIn()).getText()).toBe('');
});

test('a report that a colleague saved meanwhile replaces an untouched template on the screen', async () => {
  const stored = { report: null as Report | null };
  serve(
    answer(reports.ofStudy, () => ({
      report: stored.report,
      patient: jane,
      canCreate: stored.report === null,
      reasons: [],
      readingBy: null,
    })),
  );
  const { client } = showPanel('s1', { startsWriting: true, ready: readyWith('<p>Lungs: clear.</p>') });
  expect((await editorIn()).getText()).toBe('Lungs: clear.');

  stored.report = reportFor({ content: '<p>By a colleague.</p>' });
  await client.invalidateQueries({ queryKey: ['studies'] });

  await waitFor(async () => expect((await editorIn()).getText()).toBe('By a colleague.'));
});

test('a new report is finalized without a separate first save, and the caller learns of the signature', async () => {
  stubCanvas();
  const afterSigning = vi.fn<() => void>();
  const calls = serve(...keeping(null));
  showPanel('s1', { startsWriting: true, slots: { afterSigning } });
  write(await editorIn(), '<p>No acute finding.</p>');

  await userEvent.click(screen.getByRole('button', { name: 'Finalize' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Finalize report' }));
  expect(bodies(calls)).toMatchObject([{ content: '<p>No acute finding.</p>' }]);
  await userEvent.click(await dialog.findByText('Type'));
  await userEvent.click(dialog.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Finalize report' }));

  await waitFor(() => expect(afterSigning).toHaveBeenCalledTimes(1));
});

test('finalizing first saves an unsaved text', async () => {
  const calls = serve(...keeping(reportFor({ signatureRequired: false })));
  showPanel();
  write(await editorIn(), '<p>Final words.</p>');

  await userEvent.click(screen.getByRole('button', { name: 'Finalize' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /^I confirm/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Finalize report' }));

  await waitFor(() => expect(bodies(calls)).toHaveLength(2));
  expect(bodies(calls)).toMatchObject([
    { content: '<p>Final words.</p>', revision: 1 },
    { content: '<p>Final words.</p>', revision: 2 },
  ]);
});

test('printing prints the text on the screen and marks it as unsigned', async () => {
  const append = vi.spyOn(document.body, 'append');
  onTestFinished(() => append.mockRestore());
  serve(ofStudy(reportFor()));
  showPanel();
  write(await editorIn(), '<p>On the screen.</p>');

  await userEvent.click(screen.getByRole('button', { name: 'Print' }));

  const page = append.mock.calls.flat().find((node) => node instanceof HTMLIFrameElement);
  expect(page?.srcdoc).toContain('On the screen.');
  expect(page?.srcdoc).toContain('Draft: not a signed report');
});

test('an action that the user may not take shows the reason on click and hover', async () => {
  const reason = 'Only the requested reviewer can submit this review';
  const report = reportFor({ status: 'PENDING_REVIEW' }, { submitReview: reason });
  const calls = serve(ofStudy(report));
  showPanel();

  const button = await screen.findByRole('button', { name: 'Submit review' });
  await userEvent.click(button);

  expect(button.getAttribute('aria-description')).toBe(reason);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(bodies(calls)).toEqual([]);
});

test('a user sends a waiting report to another reviewer from the page of the report', async () => {
  serve(
    ofStudy(reportFor({ status: 'PENDING_REVIEW' })),
    answer(reports.reviewers, () => []),
  );
  showPanel();

  await userEvent.click(await screen.findByRole('button', { name: 'Ask another reviewer' }));

  expect(await screen.findByText('No other user here has permission to review reports.')).toBeDefined();
});

test.each([
  ['DRAFT', 'Draft', 'warning'],
  ['PENDING_REVIEW', 'Pending Review', 'info'],
  ['REVISION_REQUIRED', 'Revision Required', 'danger'],
  ['APPROVED', 'Approved', 'success'],
  ['FINALIZED', 'Finalized', 'primary'],
  ['ARCHIVED_ELSEWHERE', 'ARCHIVED_ELSEWHERE', 'secondary'],
])('a report with status %s shows "%s" in the tone %s', async (status, label, tone) => {
  serve(ofStudy({ ...reportFor({}, { edit: 'Not you' }), status: status as Report['status'] }));
  showPanel();

  const pill = await screen.findByText(label);

  expect(pill.dataset.tone).toBe(tone);
});

test('an earlier version copied into the draft is saved like any other text', async () => {
  const calls = serve(
    ...keeping(reportFor({ revision: 4 })),
    answer(reports.version, () => ({ ...storedVersion, content: '<p>As it was.</p>' })),
  );
  showPanel();
  await editorIn();

  await userEvent.click(screen.getByRole('button', { name: 'History' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show version 1' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Copy into draft' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Copy version' }));
  await waitFor(async () => expect((await editorIn()).getText()).toBe('As it was.'));
  expect(bodies(calls)).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save as draft' }));

  expect(await screen.findByText('Draft updated successfully')).toBeDefined();
  expect(bodies(calls)).toMatchObject([{ content: '<p>As it was.</p>', revision: 4 }]);
});

test('a text with an undecided passage is not finalized; the button says why and leads to the passage', async () => {
  const passage = '<ins data-ai-passage="0197c0de-0000-7000-8000-0000000000aa">Normal.</ins>';
  const calls = serve(...keeping(reportFor({ content: `<p>Effusion.</p><p>${passage}</p>` })));
  showPanel();
  const editor = await editorIn();
  const finalize = screen.getByRole('button', { name: 'Finalize' });

  expect(finalize.getAttribute('aria-disabled')).toBe('true');
  expect(finalize.getAttribute('aria-description')).toMatch(
    /^The report has an undecided AI passage\. Accept or reject it first\. Click/,
  );
  await userEvent.click(finalize);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Accept AI passage 1');
  expect(screen.queryByRole('dialog')).toBeNull();

  write(editor, '<p>Effusion.</p><p>Normal.</p>');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Finalize' }).ariaDisabled).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Finalize' }));
  expect(await screen.findByRole('dialog', { name: 'Finalize report' })).toBeDefined();
  expect(calls.some(({ method }) => method === 'PUT')).toBe(true);
});
