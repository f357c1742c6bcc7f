import type { Endpoint } from '@radwork/contract/core/endpoint';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, type SentRequest, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';
import { RequestReviewDialog, SubmitReviewDialog } from '#reading/reports/signing/review-dialogs.tsx';

const showPanel = () => {
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: () => <ReportPanel studyId="s1" /> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

const ofStudy = (report: Report | null, canCreate = report === null) =>
  answer(reports.ofStudy, () => ({ report, patient: jane, canCreate, reasons: [], readingBy: null }));

const reviewerId = '0190f6f0-0000-7000-8000-000000000001';
const reviewers = answer(reports.reviewers, () => [{ id: reviewerId, username: 'rex', name: 'Rex Reviewer' }]);

/** A response that a proxy sends instead of the server. */
const garbled = (endpoint: Endpoint) => ({
  ...refuse(endpoint, 502, ''),
  reply: () => new Response('<html>', { status: 502 }),
});

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const posted = (calls: SentRequest[]) =>
  calls
    .filter(({ method }) => method === 'POST')
    .map(({ url, body }) => ({ call: url.pathname.split('/').at(-1), body }));

test.each([
  ['no report', null, 'Save as draft'],
  ['a draft', reportFor(), 'Save as draft'],
  ['a report that requires revision', reportFor({ status: 'REVISION_REQUIRED' }), 'Save revision'],
])('for %s the save button says "%s"', async (_, report, label) => {
  serve(ofStudy(report));
  showPanel();
  if (!report) await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  await editorIn();

  const labels = screen.getAllByRole('button', { name: /^Save/ }).map(({ textContent }) => textContent);

  expect(labels).toEqual([label]);
});

test.each(['PENDING_REVIEW', 'APPROVED', 'FINALIZED'] as const)(
  'a report that is %s has no save button',
  async (status) => {
    serve(ofStudy(reportFor({ status }, { edit: 'The report cannot be edited' })));
    showPanel();

    await screen.findByText('Stored.');

    expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();
  },
);

test('requesting a review first saves the text on the screen', async () => {
  let stored = reportFor({ status: 'REVISION_REQUIRED' });
  const calls = serve(
    answer(reports.ofStudy, () => ({ report: stored, patient: jane, canCreate: false, reasons: [], readingBy: null })),
    answer(reports.save, ({ body }) => {
      stored = { ...stored, ...(body as { content: string }), revision: 2 };
      return stored;
    }),
    reviewers,
    answer(reports.requestReview, () => stored),
  );
  showPanel();
  write(await editorIn(), '<p>Revised.</p>');

  await press('Request review');
  await userEvent.click(await screen.findByRole('combobox', { name: 'Reviewer' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Rex Reviewer' }));
  await userEvent.click(screen.getAllByRole('button', { name: 'Request review' }).at(-1) as HTMLElement);

  await waitFor(() => expect(posted(calls)).toHaveLength(2));
  expect(posted(calls)).toMatchObject([
    { call: 'draft', body: { content: '<p>Revised.</p>', revision: 1 } },
    { call: 'request-review', body: { reviewerId, revision: 2 } },
  ]);
});

test('a new report after a finalized report shows its own messages', async () => {
  const signed = reportFor({ status: 'FINALIZED', finalizedAt: '2026-11-21T12:00:00Z' }, { edit: 'signed' });
  serve(
    ofStudy(signed, true),
    answer(reports.create, () => reportFor({ id: 'r2' })),
  );
  showPanel();

  await userEvent.click(await screen.findByRole('button', { name: 'Create new report' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  write(await editorIn(), '<p>Another.</p>');
  await press('Save as draft');

  expect(await screen.findByText('New report created successfully')).toBeDefined();
});

test('the panel shows why the user cannot begin a report', async () => {
  serve(ofStudy(null), refuse(reports.create, 409, 'This study already has an open report, by Rex Reviewer'));
  showPanel();

  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  write(await editorIn(), '<p>Effusion.</p>');
  await press('Save as draft');

  expect(
    await screen.findByText('Error creating report: This study already has an open report, by Rex Reviewer'),
  ).toBeDefined();
});

test('a failed save of a revision shows a default message if the server gives none', async () => {
  serve(ofStudy(reportFor({ status: 'REVISION_REQUIRED' })), garbled(reports.save));
  showPanel();

  write(await editorIn(), '<p>Effusion.</p>');
  await press('Save revision');

  expect(await screen.findByText('Error saving report')).toBeDefined();
});

test('a failed request for a review shows a default message if the server gives none', async () => {
  serve(reviewers, garbled(reports.requestReview));
  show(<RequestReviewDialog report={reportFor()} opened onClose={() => {}} />);

  await userEvent.click(screen.getByRole('combobox', { name: 'Reviewer' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Rex Reviewer' }));
  await press('Request review');

  expect(await screen.findByText('Error requesting review')).toBeDefined();
});

test('a failed review shows a default message if the server gives none', async () => {
  serve(garbled(reports.submitReview));
  show(<SubmitReviewDialog report={reportFor()} opened onClose={() => {}} />);

  await press('I agree with the report.');
  await press('Submit review');

  expect(await screen.findByText('Error submitting review')).toBeDefined();
});
