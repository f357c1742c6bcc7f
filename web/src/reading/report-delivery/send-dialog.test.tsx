import { reportDeliveries, type ReportDelivery } from '@radwork/contract/reading/report-delivery';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { answer, answerBytes, refuse, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { DeliveryActions } from './delivery-actions.tsx';

const report = reportFor({ status: 'FINALIZED' });

const delivery = (overrides: Partial<ReportDelivery> = {}): ReportDelivery => ({
  id: 'd1',
  reportId: 'r1',
  kind: 'FHIR',
  remoteConfigId: 'c1',
  destination: 'HOSPITAL',
  state: 'QUEUED',
  attempts: 0,
  error: '',
  nextAttemptAt: null,
  resources: [],
  isOutdated: false,
  namesOtherwise: false,
  requestedBy: 'Mona Haddad',
  requestedAt: '2026-11-21T10:00:00Z',
  sentAt: null,
  ...overrides,
});

const hospital = answer(reportDeliveries.destinations, () => [{ id: 'c1', aeTitle: 'HOSPITAL' }]);

const open = async () => {
  show(<DeliveryActions report={report} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
};

const choose = async (name: string) => userEvent.selectOptions(await screen.findByLabelText('Configuration'), name);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

/** Answers each request with the next step. After the last step, repeats it. */
const unfolding = (...steps: ReportDelivery[][]) =>
  answer(reportDeliveries.list, () => (steps.length > 1 ? (steps.shift() ?? []) : (steps[0] ?? [])));

test('the send dialog without a configured server asks for a configuration and sends nothing', async () => {
  const calls = serve(hospital, unfolding([]));
  await open();
  await screen.findByRole('option', { name: 'HOSPITAL' });

  await press('Send to FHIR');

  expect(screen.getAllByText('Please select a configuration').length).toBeGreaterThan(1);
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});

test('the send dialog reports success only after the server has accepted the report', async () => {
  const calls = serve(
    hospital,
    answer(reportDeliveries.send, () => delivery()),
    unfolding(
      [],
      [delivery()],
      [delivery({ state: 'RUNNING', attempts: 1 })],
      [delivery({ state: 'SENT', attempts: 1, sentAt: '2026-11-21T10:01:00Z' })],
    ),
  );
  await open();
  await choose('HOSPITAL');

  await press('Send to FHIR');

  expect(await screen.findByText('Queued')).toBeDefined();
  expect(screen.queryByText('Report sent to FHIR server successfully')).toBeNull();
  expect(await screen.findByText('Sending')).toBeDefined();
  expect(screen.queryByText('Report sent to FHIR server successfully')).toBeNull();
  expect(await screen.findByText('Report sent to FHIR server successfully')).toBeDefined();
  const sent = calls.find(({ method }) => method === 'POST');
  expect(sent?.url.search).toBe('?config=c1&reportId=r1');
});

test("a failed delivery shows the server's message, which stays visible, and can be retried", async () => {
  const failed = delivery({
    state: 'FAILED',
    attempts: 6,
    error: 'The FHIR server rejected the credentials (401)',
  });
  const calls = serve(
    hospital,
    answer(reportDeliveries.retry, () => delivery()),
    unfolding([delivery({ state: 'RUNNING', attempts: 1 })], [failed], [delivery()]),
  );
  await open();

  const toast = await screen.findByText(/^Error sending report: The FHIR server rejected/, undefined, {
    timeout: 5000,
  });
  expect(toast).toBeDefined();
  expect(screen.getByText('The FHIR server rejected the credentials (401)')).toBeDefined();
  expect(screen.getByText(/6 attempts/)).toBeDefined();
  await press('Retry: HOSPITAL');

  expect(await screen.findByText('Queued')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/deliveries/d1/retry');
});

test('a refused request to send shows the reason', async () => {
  serve(hospital, unfolding([]), refuse(reportDeliveries.send, 409, 'Only a finalized report can be sent'));
  await open();
  await choose('HOSPITAL');

  await press('Send to FHIR');

  expect((await screen.findAllByText('Only a finalized report can be sent')).length).toBeGreaterThan(0);
});

test('a delivery that succeeds before the first poll is reported as sent', async () => {
  serve(
    hospital,
    answer(reportDeliveries.send, () => delivery()),
    unfolding([], [delivery({ state: 'SENT', attempts: 1, sentAt: '2026-11-21T10:01:00Z' })]),
  );
  await open();
  await choose('HOSPITAL');

  await press('Send to FHIR');

  expect(await screen.findByText('Report sent to FHIR server successfully')).toBeDefined();
});

test('a failed request without a server message shows which action failed', async () => {
  const silent = answerBytes('/api/external/reports', () => new Response('<html>', { status: 502 }));
  serve(hospital, unfolding([]), { ...silent, method: 'POST' });
  await open();
  await choose('HOSPITAL');

  await press('Send to FHIR');

  expect((await screen.findAllByText('Error sending report to FHIR')).length).toBeGreaterThan(0);
});

test('a delivery waiting for a retry shows the reason and time, and can be retried at once', async () => {
  const waiting = delivery({
    attempts: 2,
    error: 'The FHIR server returned an error (500)',
    nextAttemptAt: '2026-11-21T10:05:00Z',
  });
  const calls = serve(
    hospital,
    answer(reportDeliveries.retry, () => delivery()),
    unfolding([waiting]),
  );
  await open();

  expect(await screen.findByText('The FHIR server returned an error (500)')).toBeDefined();
  expect(screen.getByText(/2 attempts\. Next attempt 2026-11-21/)).toBeDefined();
  expect(screen.getByText('Will retry')).toBeDefined();
  await press('Retry now: HOSPITAL');

  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/deliveries/d1/retry');
});

test('the dialog marks a destination that has an earlier version of the report', async () => {
  serve(hospital, unfolding([delivery({ state: 'SENT', sentAt: '2026-11-21T10:01:00Z', isOutdated: true })]));
  await open();

  expect(
    await screen.findByText(/^HOSPITAL has an outdated report\. Changes were signed after it was sent/),
  ).toBeDefined();
});

test('a user stores a report in its study once, and the dialog does not offer it again', async () => {
  const stored = delivery({
    kind: 'STUDY',
    remoteConfigId: null,
    destination: 'Its study',
    state: 'SENT',
    sentAt: '2026-11-21T10:01:00Z',
  });
  const calls = serve(
    hospital,
    answer(reportDeliveries.storeInStudy, () => ({ ...stored, state: 'QUEUED' as const })),
    unfolding([], [{ ...stored, state: 'QUEUED' }], [stored]),
  );
  await open();

  await press('Store in study');

  expect(await screen.findByText('Report stored in study')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stored in study' }).disabled).toBe(true);
  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/store-in-study');
});

test('without a FHIR server the dialog says who can add one', async () => {
  serve(
    answer(reportDeliveries.destinations, () => []),
    unfolding([]),
  );
  await open();

  expect(await screen.findByText(/No FHIR server is configured\. An administrator can create one/)).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send to FHIR' }).disabled).toBe(true);
});

test('drafts, and users without permission, get a PDF but no button to send it', async () => {
  serve();
  const { unmount } = show(<DeliveryActions report={reportFor()} />);
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  expect(screen.getByRole('button', { name: 'PDF of report of Doe, Jane' })).toBeDefined();
  unmount();

  show(<DeliveryActions report={report} />, 'REFERRING_PHYSICIAN');

  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  expect(screen.getByRole('button', { name: 'PDF of report of Doe, Jane' })).toBeDefined();
});

test("the PDF is saved under the server's file name, and a refused download shows the reason", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  let isRefused = false;
  serve(
    answerBytes('/api/reports/r1/pdf', () =>
      isRefused
        ? Response.json({ code: 422, error: 'x', message: 'The report is too complex for a PDF' }, { status: 422 })
        : new Response('%PDF', { headers: { 'content-disposition': 'inline; filename="report-A1.pdf"' } }),
    ),
  );
  show(<DeliveryActions report={report} />);
  const download = async () => {
    await press('PDF of report of Doe, Jane');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Download PDF' }));
  };

  await download();
  await eventually(() => expect(saved).toEqual(['report-A1.pdf']));
  isRefused = true;
  await download();

  expect(await screen.findByText('The report is too complex for a PDF')).toBeDefined();
  expect(saved).toHaveLength(1);
});
