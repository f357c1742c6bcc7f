import { expect, test } from 'vitest';
import { reportFor } from '#test/written-report.ts';
import { printedReport } from './print-report.ts';

test('a printed report says whose it is, beyond a name', () => {
  const page = new DOMParser().parseFromString(printedReport(reportFor({ patientName: 'Doe & <Sons>' })), 'text/html');

  expect(page.body.textContent).toContain('Doe & <Sons>');
  expect(page.body.textContent).toContain('P-1');
  expect(page.body.textContent).toContain('1970-01-31');
  expect(page.querySelector('sons')).toBeNull();
});

test('what is not signed says so on paper', () => {
  expect(printedReport(reportFor())).toContain('Draft: not a signed report');
});

test('a signed report carries who signed, when, and the digest of its text', () => {
  const signer = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' };
  const signed = reportFor({
    status: 'FINALIZED',
    finalizedBy: signer,
    finalizedAt: '2026-11-21T12:00:00Z',
    contentHash: 'abc1',
  });

  const printed = printedReport(signed);

  expect(printed).toMatch(/Signed by Mona Haddad, 2026-11-2\d \d\d:\d\d/);
  expect(printed).toContain('SHA-256 abc1');
  expect(printed).not.toContain('not a signed report');
});
