import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { answer, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { ReportPanel } from './report-panel.tsx';

const signed = reportFor({
  id: 'signed',
  status: 'FINALIZED',
  amended: true,
  hasCriticalFindings: true,
  criticalState: 'OPEN',
  content: '<p>The signed words.</p>',
  finalizedAt: '2026-11-21T12:00:00Z',
  finalizedBy: { id: 'u2', username: 'r.reviewer', name: 'Rex Reviewer', credentials: '' },
});

const opened: string[] = [];

beforeEach(() => {
  opened.length = 0;
  localStorage.clear();
});

function Page() {
  useShortcuts('Page', [{ keys: 'v', does: 'Open viewer', run: () => opened.push('viewer') }]);
  return <ReportPanel studyId="s1" slots={{ notices: (report) => <p>Notices of {report.id}</p> }} />;
}

const showPanel = () => {
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: Page });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

/** Server with one report. If that report is signed, a second report can be created. */
const server = (first: Report | null, signedReport?: Report) => {
  let stored = first;
  let beside = signedReport;
  return serve(
    answer(reports.ofStudy, () => ({
      report: stored,
      standing: beside,
      patient: jane,
      canCreate: stored === null || stored.status === 'FINALIZED',
      reasons: [],
      readingBy: null,
    })),
    answer(reports.create, ({ body }) => {
      beside = stored ?? undefined;
      stored = reportFor({ id: 'newer', content: (body as { content: string }).content });
      return stored;
    }),
    answer(reports.finalize, ({ body }) => {
      beside = undefined;
      stored = reportFor({ ...signed, amended: false, content: (body as { content: string }).content });
      return stored;
    }),
  );
};

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

const beginNew = async () => {
  await press('Create new report');
  await press('Create report');
  return editorIn();
};

test('a new report of a study with a signed report begins only after a confirmation', async () => {
  server(signed);
  showPanel();

  await press('Create new report');
  expect(await screen.findByText('Create a new report of this study?')).toBeDefined();
  await press('Cancel');

  expect(screen.getByText('The signed words.')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Report text' })).toBeNull();
});

test('next to a newer report, the panel names the signed report and opens it with one click', async () => {
  server(signed);
  showPanel();
  await beginNew();

  const marks = [screen.getByText('AMENDED'), screen.getByText('Critical: not communicated')];
  await press('Show signed report');

  expect(marks).toHaveLength(2);
  const dialog = await screen.findByRole('dialog', { name: 'Signed report' });
  expect(within(dialog).getByText('The signed words.')).toBeDefined();
  expect(within(dialog).getByText('Notices of signed')).toBeDefined();
  expect(within(dialog).getByRole('link').getAttribute('href')).toBe('/reports?reportId=signed');
});

test('the signed report opens with one click after the newer report is saved', async () => {
  server(signed);
  showPanel();
  write(await beginNew(), '<p>Newer words.</p>');

  await press('Save as draft');

  expect(await screen.findByText('New report created successfully')).toBeDefined();
  await press('Show signed report');
  expect(await screen.findByText('The signed words.')).toBeDefined();
});

test('a colleague who reads the newer draft opens the signed report with one click', async () => {
  server(reportFor({ id: 'newer', content: '<p>Newer words.</p>' }, { edit: 'Not yours' }), signed);
  showPanel();
  await screen.findByText('Newer words.');

  await press('Show signed report');

  expect(await screen.findByText('The signed words.')).toBeDefined();
  expect(screen.getByText('AMENDED')).toBeDefined();
});

test('the new text is stored when the user returns to the signed report, and can be continued', async () => {
  server(signed);
  const { unmount } = showPanel();
  write(await beginNew(), '<p>Newer words.</p>');

  await press('Back to signed report');
  expect(await screen.findByText('The signed words.')).toBeDefined();
  unmount();
  showPanel();
  expect(await screen.findByText('The signed words.')).toBeDefined();
  await press('Continue new report');

  expect((await editorIn()).getText()).toBe('Newer words.');
});

test('a draft without a signed report has no button to show a signed report', async () => {
  server(reportFor({ content: '<p>Words.</p>' }));
  showPanel();
  write(await editorIn(), '<p>Other words.</p>');

  expect(await screen.findByRole('button', { name: 'Save as draft' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Back to signed report' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});

test('after a new report is discarded, only the signed report remains', async () => {
  server(signed);
  showPanel();
  write(await beginNew(), '<p>Newer words.</p>');

  await press('Discard');
  await press('Discard new report');

  expect(await screen.findByText('The signed words.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Create new report' })).toBeDefined();
  expect(screen.queryByText(/was never saved/)).toBeNull();
});

test('text typed right after beginning a report is inserted into it and triggers no shortcut', async () => {
  server(null);
  showPanel();
  const button = await screen.findByRole('button', { name: 'Create report' });

  await userEvent.click(button);
  await userEvent.keyboard('v');

  expect(opened).toEqual([]);
  const editor = await editorIn();
  await waitFor(() => expect(document.activeElement).toBe(editor.view.dom));
});

test('opening a report does not move the focus', async () => {
  server(reportFor());
  showPanel();

  const editor = await editorIn();

  expect(editor.isFocused).toBe(false);
  expect(document.activeElement).toBe(document.body);
});

test('text typed right after beginning an addendum is inserted into it and triggers no shortcut', async () => {
  server(signed);
  showPanel();

  await press('Add addendum');
  await userEvent.keyboard('v');

  expect(opened).toEqual([]);
  const editor = await editorIn();
  await waitFor(() => expect(document.activeElement).toBe(editor.view.dom));
});

test('after signing, the focus moves to the heading of the report', async () => {
  server(reportFor({ signatureRequired: false }));
  showPanel();
  await editorIn();

  await press('Finalize');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^I confirm/ }));
  await press('Finalize report');

  await screen.findByRole('button', { name: 'Add addendum' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Report' })));
});
