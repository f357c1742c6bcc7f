import type { PreliminaryMark, PreliminaryReport } from '@radwork/contract/reading/preliminary-reports';
import { type Report, reports, type ReportVersion } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';
import { FinalizeDialog } from '#reading/reports/signing/finalize-dialog.tsx';
import { answer, type SentRequest, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';

const mark: PreliminaryMark = {
  number: 1,
  version: 2,
  issuedBy: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
  issuedAt: '2026-11-21T10:00:00Z',
};

const frozen: ReportVersion = {
  version: 2,
  status: 'DRAFT',
  action: 'PRELIMINARY',
  actor: mark.issuedBy,
  at: mark.issuedAt,
  comment: '',
  contentHash: '',
  content: '<p>No embolism.</p>',
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
};

const showPanel = (
  ofStudy: { report: Report | null; preliminary?: PreliminaryReport },
  ...more: Parameters<typeof serve>
) => {
  let stored = ofStudy.report;
  const calls = serve(
    answer(reports.ofStudy, () => ({
      ...ofStudy,
      report: stored,
      patient: jane,
      canCreate: false,
      reasons: ['Not you'],
      readingBy: null,
    })),
    answer(reports.save, ({ body }) => {
      stored = reportFor({ content: (body as { content: string }).content, revision: 2 });
      return stored;
    }),
    answer(reports.issuePreliminary, () => {
      stored = { ...(stored ?? reportFor()), revision: 3, preliminary: mark };
      return stored;
    }),
    ...more,
  );
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: () => <ReportPanel studyId="s1" /> });
  show(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() }) as never} />);
  return calls;
};

const posted = (calls: SentRequest[]) =>
  calls.filter(({ method }) => method === 'POST').map(({ url, body }) => [url.pathname, body]);

test('the text is saved first, then its stored revision is issued as preliminary', async () => {
  const calls = showPanel({ report: reportFor() });
  write(await editorIn(), '<p>Embolism.</p>');

  await userEvent.click(screen.getByRole('button', { name: 'Preliminary' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Issue preliminary report' }));
  expect(await dialog.findByText(/Referring physicians do not see it\./)).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Issue preliminary report' }));

  expect(await screen.findByText('Preliminary report issued')).toBeDefined();
  expect(posted(calls)).toMatchObject([
    ['/api/workflow/reports/r1/draft', { content: '<p>Embolism.</p>' }],
    ['/api/workflow/reports/r1/preliminary', { revision: 2 }],
  ]);
  expect(await screen.findByText(/^Preliminary report 1 issued by Mona Haddad/)).toBeDefined();
  expect((await editorIn()).getText()).toBe('Embolism.');
});

test('a user who sees no drafts reads the preliminary report with its mark', async () => {
  showPanel({
    report: null,
    preliminary: { ...mark, reportId: 'r1', content: '<p>No fracture.</p>', criticalFindingsDetails: '' },
  });

  expect(await screen.findByText('No fracture.')).toBeDefined();
  expect(screen.getByText('Preliminary')).toBeDefined();
  expect(screen.getByText(/It is not signed and may change\./)).toBeDefined();
});

test('signing shows the difference from the preliminary report and sends an important change', async () => {
  const calls = serve(
    answer(reports.version, () => frozen),
    answer(reports.finalize, () => reportFor({ status: 'FINALIZED' })),
  );
  const report = reportFor({ content: '<p>Embolism.</p>', preliminary: mark, signatureRequired: false });
  show(<FinalizeDialog report={report} opened onClose={() => {}} />);
  const changes = within(await screen.findByRole('region', { name: 'Changes since the preliminary report' }));
  expect(await changes.findByText('removed:')).toBeDefined();

  await userEvent.click(screen.getByRole('checkbox', { name: /^I confirm/ }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Important change for the patient' }));
  await userEvent.click(screen.getByRole('button', { name: 'Finalize report' }));
  expect(await screen.findByText('Describe the change')).toBeDefined();
  expect(posted(calls)).toEqual([]);
  await userEvent.type(screen.getByRole('textbox', { name: /^Description of the change/ }), 'Embolism found');
  await userEvent.click(screen.getByRole('button', { name: 'Finalize report' }));

  await waitFor(() =>
    expect(posted(calls)).toMatchObject([[expect.any(String), { preliminaryChange: 'Embolism found' }]]),
  );
});
