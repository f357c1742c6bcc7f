import { reportDeliveries, type ReportDelivery } from '@radwork/contract/reading/report-delivery';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { OutdatedCopiesNotice } from './outdated-copies-notice.tsx';

const stored: ReportDelivery = {
  id: 'd1',
  reportId: 'r1',
  kind: 'STUDY',
  remoteConfigId: null,
  destination: 'Its study',
  state: 'SENT',
  attempts: 1,
  error: '',
  nextAttemptAt: null,
  resources: [],
  isOutdated: true,
  namesOtherwise: true,
  requestedBy: 'Mona Haddad',
  requestedAt: '2026-11-21T10:00:00Z',
  sentAt: '2026-11-21T10:01:00Z',
};

const outdated = /^The PDF of this report in the study is outdated/;

test('a notice above the text reports a stored report with the wrong patient, and one click replaces it', async () => {
  const calls = serve(
    answer(reportDeliveries.list, () => [stored]),
    answer(reportDeliveries.retry, () => ({ ...stored, state: 'QUEUED' as const })),
  );
  show(<OutdatedCopiesNotice report={reportFor({ status: 'FINALIZED' })} />);

  expect(await screen.findByText(outdated)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Replace: Its study' }));

  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/deliveries/d1/retry');
});

test('the notice names a server that has the report under another patient', async () => {
  const sent: ReportDelivery = { ...stored, kind: 'FHIR', remoteConfigId: 'c1', destination: 'HOSPITAL' };
  serve(answer(reportDeliveries.list, () => [sent]));

  show(<OutdatedCopiesNotice report={reportFor({ status: 'FINALIZED' })} />);

  expect(await screen.findByText(/^HOSPITAL stores this report under another patient/)).toBeDefined();
});

test('a notice above the text reports a server without the latest signed text, and one click sends it', async () => {
  const sent: ReportDelivery = {
    ...stored,
    kind: 'FHIR',
    remoteConfigId: 'c1',
    destination: 'HOSPITAL',
    namesOtherwise: false,
  };
  const calls = serve(
    answer(reportDeliveries.list, () => [sent]),
    answer(reportDeliveries.retry, () => ({ ...sent, state: 'QUEUED' as const })),
  );
  show(<OutdatedCopiesNotice report={reportFor({ status: 'FINALIZED' })} />);

  expect(
    await screen.findByText('HOSPITAL has an outdated report. Changes were signed after it was sent.'),
  ).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Send again: HOSPITAL' }));

  expect(calls.find(({ method }) => method === 'POST')?.url.pathname).toBe('/api/reports/r1/deliveries/d1/retry');
});

test('a notice above the text reports a study without the latest signed text', async () => {
  serve(answer(reportDeliveries.list, () => [{ ...stored, namesOtherwise: false }]));

  show(<OutdatedCopiesNotice report={reportFor({ status: 'FINALIZED' })} />);

  expect(
    await screen.findByText(/^Its study has an outdated report\. Changes were signed after it was sent/),
  ).toBeDefined();
});

test('current deliveries, and outdated deliveries that are being replaced, show no notice', async () => {
  const right: ReportDelivery = { ...stored, isOutdated: false, namesOtherwise: false };
  const calls = serve(
    answer(reportDeliveries.list, (): ReportDelivery[] => [right, { ...stored, id: 'd2', state: 'RUNNING' }]),
  );

  show(<OutdatedCopiesNotice report={reportFor({ status: 'FINALIZED' })} />);

  await expect.poll(() => calls.length).toBeGreaterThan(0);
  expect(screen.queryByText(/outdated|earlier/)).toBeNull();
});
