import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { reports } from '@radwork/contract/reading/reports';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { communicationOf, findingOf } from '#test/critical-findings.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { AddFindingAction } from './add-finding-action.tsx';
import { CriticalFindingsNotice } from './critical-findings-notice.tsx';

const reportWith = (finding: ReturnType<typeof findingOf>) =>
  reportFor({ hasCriticalFindings: true, criticalFindings: [finding] });

test('an open critical finding appears above the report with the time left and its actions', async () => {
  serve(answer(criticalFindings.ofStudy, () => [findingOf()]));
  show(<CriticalFindingsNotice report={reportWith(findingOf())} />);

  expect(await screen.findByRole('button', { name: 'Record communication' })).toBeDefined();
  expect(screen.getByRole('alert').textContent).toContain('Critical findings: not communicated');
  expect(screen.getByRole('timer')).toBeDefined();
});

test('an acknowledged critical finding shows the recipient and no alarm', async () => {
  const settled = findingOf({
    state: 'ACKNOWLEDGED',
    communications: [communicationOf()],
    acknowledgedAt: '2026-11-21T10:25:00Z',
    acknowledgedBy: { id: 'u3', username: 'e.moreau', name: 'Elise Moreau' },
  });
  serve(answer(criticalFindings.ofStudy, () => [settled]));
  show(<CriticalFindingsNotice report={reportWith(settled)} />);

  expect(await screen.findByText(/^Acknowledged by Elise Moreau/)).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('timer')).toBeNull();
});

test('a treating physician acknowledges a critical finding in the report with one click', async () => {
  const waiting = findingOf({ canCommunicate: false, canWithdraw: false, canAcknowledgeInReport: true });
  const settled = {
    ...waiting,
    state: 'ACKNOWLEDGED' as const,
    canAcknowledgeInReport: false,
    acknowledgedAt: '2026-11-21T10:25:00Z',
    acknowledgedBy: { id: 'u3', username: 'e.moreau', name: 'Elise Moreau' },
    acknowledgedHow: 'REPORT' as const,
  };
  let isSettled = false;
  const calls = serve(
    answer(criticalFindings.ofStudy, () => [isSettled ? settled : waiting]),
    answer(criticalFindings.acknowledgeInReport, () => {
      isSettled = true;
      return settled;
    }),
  );
  show(<CriticalFindingsNotice report={reportWith(waiting)} />);

  await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge' }));

  expect(await screen.findByText(/^Acknowledged by Elise Moreau in the signed report/)).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')).toMatchObject({ body: { restarts: 0 } });
  expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
});

test('a critical finding is shown even when its details fail to load', async () => {
  serve(refuse(criticalFindings.ofStudy, 500, 'Server error occurred'));
  show(<CriticalFindingsNotice report={reportWith(findingOf({ finding: '<img src=x onerror=alert(1)>' }))} />);

  expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeDefined();
  expect(document.querySelector('img')).toBeNull();
});

test('a signed report shows its critical text, and a report without critical text shows no notice', () => {
  serve();
  const marked = reportFor({ status: 'FINALIZED', hasCriticalFindings: true, criticalFindingsDetails: 'Call at once' });
  const view = show(<CriticalFindingsNotice report={{ ...marked, rights: { ...marked.rights, canEdit: false } }} />);
  expect(screen.getByText('Call at once')).toBeDefined();
  view.unmount();

  show(<CriticalFindingsNotice report={reportFor()} />);

  expect(screen.queryByText(/Critical findings/)).toBeNull();
});

test('a user adds a critical finding with its text and severity', async () => {
  const report = reportFor();
  const calls = serve(answer(reports.addCriticalFinding, () => report));
  show(<AddFindingAction report={report} />);
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

  await press('Add critical finding');
  await press('Add finding');
  expect(await screen.findByText('Finding description is required')).toBeDefined();
  expect(screen.getByText('Severity is required')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Finding' }), 'Tension pneumothorax');
  await userEvent.click(screen.getByRole('combobox', { name: 'Severity' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Critical: within minutes' }));
  await press('Add finding');

  expect(await screen.findByText('Critical finding added successfully')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    finding: 'Tension pneumothorax',
    severity: 'CRITICAL',
  });
});

test('a critical finding that cannot be added shows an error', async () => {
  const report = reportFor();
  const failing = {
    ...refuse(reports.addCriticalFinding, 502, ''),
    reply: () => new Response('Bad gateway', { status: 502 }),
  };
  serve(failing);
  show(<AddFindingAction report={report} />);

  await userEvent.click(screen.getByRole('button', { name: 'Add critical finding' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Finding' }), 'x');
  await userEvent.click(screen.getByRole('combobox', { name: 'Severity' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Critical: within minutes' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add finding' }));

  expect(await screen.findByText('Error adding critical finding')).toBeDefined();
  expect(screen.queryByText('Critical finding added successfully')).toBeNull();
});
