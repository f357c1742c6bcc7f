import { type ReportOfStudy, reports } from '@radwork/contract/reading/reports';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { jane, reportFor } from '#test/written-report.ts';
import { PriorReport } from './prior-report.tsx';

const signed = reportFor({
  id: 'signed',
  status: 'FINALIZED',
  content: '<p>No nodule.</p>',
  finalizedAt: '2026-11-21T12:00:00Z',
  finalizedBy: { id: 'u2', username: 'r.reviewer', name: 'Rex Reviewer', credentials: '' },
});

const showReportOf = (overrides: Partial<ReportOfStudy>) => {
  serve(
    answer(reports.ofStudy, () => ({
      report: null,
      patient: jane,
      canCreate: false,
      reasons: [],
      readingBy: null,
      ...overrides,
    })),
  );
  show(<PriorReport studyId="s1" />);
};

test('the signed report of a prior stays on screen when a newer one is signed, and a notice announces it', async () => {
  showReportOf({ report: reportFor({ id: 'newer', content: '<p>Begun anew.</p>' }), standing: signed });

  expect(await screen.findByText('No nodule.')).toBeDefined();
  expect(screen.getByText(/^Signed by Rex Reviewer/)).toBeDefined();
  expect(screen.queryByText('Begun anew.')).toBeNull();
  expect(screen.getByText(/^Mona Haddad wrote a newer report that is not signed yet\./)).toBeDefined();
});

test('an unsigned report of a prior that was moved to this patient has a warning', async () => {
  showReportOf({ report: reportFor({ refiledAt: '2026-11-21T12:00:00Z' }) });

  expect(await screen.findByText('Stored.')).toBeDefined();
  expect(screen.getByText(/The study was moved to /)).toBeDefined();
});

test('a report of a prior whose text differs from the signed text has a warning', async () => {
  showReportOf({ report: { ...signed, contentHash: 'abc1', isUnchanged: false } });

  expect(await screen.findByText('No nodule.')).toBeDefined();
  expect(screen.getByText('This is not the text that was signed.')).toBeDefined();
});

test('the signed report of a prior says how its signer identified the patient', async () => {
  showReportOf({ report: { ...signed, identityStatement: 'Wristband and referral' } });

  expect(await screen.findByText(/The signer stated: “Wristband and referral”/)).toBeDefined();
});
