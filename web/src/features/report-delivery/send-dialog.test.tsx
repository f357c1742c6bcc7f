import { reportDeliveries, type ReportDelivery } from '@radwork/contract/report-delivery';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { answer, answerBytes, refuse, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { DeliveryActions } from './delivery-actions.tsx';

const report = reportFor({ status: 'FINALIZED' });

const delivery = (given: Partial<ReportDelivery> = {}): ReportDelivery => ({
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
  ...given,
});

const hospital = answer(reportDeliveries.destinations, () => [{ id: 'c1', aeTitle: 'HOSPITAL' }]);

const open = async () => {
  show(<DeliveryActions report={report} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
};

const choose = async (name: string) => userEvent.selectOptions(await screen.findByLabelText('Configuration'), name);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

/** Answers what is told of a report's deliveries, one after the other; the last one from then on. */
const unfolding = (...steps: ReportDelivery[][]) =>
  answer(reportDeliveries.list, () => (steps.length > 1 ? (steps.shift() ?? []) : (steps[0] ?? [])));

test('without a configuration nothing is sent, and it is asked for', async () => {
  const calls = serve(hospital, unfolding([]));
  await open();
  await screen.findByRole('option', { name: 'HOSPITAL' });

  await press('Send to FHIR');

  expect(screen.getAllByText('Please select a configuration').length).toBeGreaterThan(1);
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});

test('success is said only when the server has taken the report', async () => {
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

test('a failure is told in the words of the server, stays to be read, and can be tried again', async () => {
  const failed = delivery({
    state: 'FAILED',
    attempts: 6,
    error: 'The FHIR server does not accept how we sign in (401)',
  });
  const calls = serve(
    hospital,
    answer(reportDeliveries.retry, () => delivery()),
    unfolding([delivery({ state: 'RUNNING', attempts: 1 })], [failed], [delivery()]),
  );
  await open();

  const toast = await screen.findByText(/^Error sending report: The FHIR server does not accept/, undefined, {
    timeout: 5000,
  });
  expect(toast).toBeDefined();
  expect(screen.getByText('The FHIR server does not accept how we sign in (401)')).toBeDefined();
  expect(screen.getByText(/6 attempts/)).toBeDefined();
  await press('Retry: HOSPITAL');

  expect(await screen.findByText('Queued')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/deliveries/d1/retry');
});

test('a call that is refused says why', async () => {
  serve(hospital, unfolding([]), refuse(reportDeliveries.send, 409, 'Only a finalized report can be sent'));
  await open();
  await choose('HOSPITAL');

  await press('Send to FHIR');

  expect((await screen.findAllByText('Only a finalized report can be sent')).length).toBeGreaterThan(0);
});

test('a report that the server has taken before anybody could look is told to be sent', async () => {
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

test('a call that nobody answers in words says what failed', async () => {
  const silent = answerBytes('/api/external/reports', () => new Response('<html>', { status: 502 }));
  serve(hospital, unfolding([]), { ...silent, method: 'POST' });
  await open();
  await choose('HOSPITAL');

  await press('Send to FHIR');

  expect((await screen.findAllByText('Error sending report to FHIR')).length).toBeGreaterThan(0);
});

test('while a report waits to be sent again, it says why and when, and need not wait', async () => {
  const waiting = delivery({
    attempts: 2,
    error: 'The FHIR server answers with an error (500)',
    nextAttemptAt: '2026-11-21T10:05:00Z',
  });
  const calls = serve(
    hospital,
    answer(reportDeliveries.retry, () => delivery()),
    unfolding([waiting]),
  );
  await open();

  expect(await screen.findByText('The FHIR server answers with an error (500)')).toBeDefined();
  expect(screen.getByText(/2 attempts\. Next attempt 2026-11-21/)).toBeDefined();
  expect(screen.getByText('Will be tried again')).toBeDefined();
  await press('Try now: HOSPITAL');

  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/deliveries/d1/retry');
});

test('a destination that has an earlier state of the report is pointed out', async () => {
  serve(hospital, unfolding([delivery({ state: 'SENT', sentAt: '2026-11-21T10:01:00Z', isOutdated: true })]));
  await open();

  expect(await screen.findByText(/^Something was signed since: HOSPITAL has an earlier state/)).toBeDefined();
});

test('a report is stored in its study, and is not offered to be stored twice', async () => {
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

  expect(await screen.findByText('Report stored in the study')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stored in study' }).disabled).toBe(true);
  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/store-in-study');
});

test('without a FHIR server it is said who adds one', async () => {
  serve(
    answer(reportDeliveries.destinations, () => []),
    unfolding([]),
  );
  await open();

  expect(await screen.findByText(/No FHIR server is configured\. An administrator adds one/)).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send to FHIR' }).disabled).toBe(true);
});

test('a draft, and whoever may not send, has a PDF and no way to send', async () => {
  serve();
  const { unmount } = show(<DeliveryActions report={reportFor()} />);
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  expect(screen.getByRole('button', { name: 'PDF of the report of Doe, Jane' })).toBeDefined();
  unmount();

  show(<DeliveryActions report={report} />, 'REFERRING_PHYSICIAN');

  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  expect(screen.getByRole('button', { name: 'PDF of the report of Doe, Jane' })).toBeDefined();
});

test('the PDF is handed over as a file by the name that the server gives it, and a refusal is told', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  let isRefused = false;
  serve(
    answerBytes('/api/reports/r1/pdf', () =>
      isRefused
        ? Response.json({ code: 422, error: 'x', message: 'The report is too complex for paper' }, { status: 422 })
        : new Response('%PDF', { headers: { 'content-disposition': 'inline; filename="report-A1.pdf"' } }),
    ),
  );
  show(<DeliveryActions report={report} />);
  const download = async () => {
    await press('PDF of the report of Doe, Jane');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Download PDF' }));
  };

  await download();
  await eventually(() => expect(saved).toEqual(['report-A1.pdf']));
  isRefused = true;
  await download();

  expect(await screen.findByText('The report is too complex for paper')).toBeDefined();
  expect(saved).toHaveLength(1);
});
