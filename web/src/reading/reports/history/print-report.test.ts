import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportFor } from '#test/written-report.ts';
import { printedReport } from './print-report.ts';

test('a printed report identifies the patient by name and other data', () => {
  const page = new DOMParser().parseFromString(printedReport(reportFor({ patientName: 'Doe & <Sons>' })), 'text/html');

  expect(page.body.textContent).toContain('Doe & <Sons>');
  expect(page.body.textContent).toContain('P-1');
  expect(page.body.textContent).toContain('1970-01-31');
  expect(page.querySelector('sons')).toBeNull();
});

test.each([
  ['paper', () => /<style[^>]*>([^<]*)</.exec(printedReport(reportFor()))?.[1]],
  ['the screen', () => readFileSync(join(import.meta.dirname, '../../editor/reading/sheet.module.css'), 'utf8')],
])('on %s, each line of a report has the direction of its own script', (_, style) => {
  document.head.innerHTML = `<style>${style()}</style>`;
  document.body.innerHTML = '<div class="sheet"><h2>ממצאים</h2><p>גודל 5 x 12 ממ.</p></div>';

  const lines = Array.from(document.querySelectorAll('.sheet > *'), (line) => getComputedStyle(line).unicodeBidi);

  expect(lines).toEqual(['plaintext', 'plaintext']);
});

test('a printed report that is not signed is marked as unsigned', () => {
  expect(printedReport(reportFor())).toContain('Draft: not a signed report');
});

test('a printed signed report shows signer, time and hash of the text', () => {
  const signer = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad', credentials: 'MD, FACR' };
  const signed = reportFor({
    status: 'FINALIZED',
    finalizedBy: signer,
    finalizedAt: '2026-11-21T12:00:00Z',
    contentHash: 'abc1',
    statement: 'I confirm that this report is complete and accurate',
    signatureData: 'data:image/png;base64,c2ln',
    signingRemark: '',
    identityStatement: '',
  });

  const printed = printedReport(signed);

  expect(printed).toMatch(/Signed by Mona Haddad, MD, FACR, 2026-11-2\d \d\d:\d\d/);
  expect(printed).toContain('SHA-256 abc1');
  expect(printed).toContain('“I confirm that this report is complete and accurate”');
  expect(printed).toContain('<img src="data:image/png;base64,c2ln"');
  expect(printed).not.toContain('not a signed report');
});

test("a printed report contains the statement on the patient's identity as plain text", () => {
  const signer = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad', credentials: '' };
  const printed = printedReport(
    reportFor({ status: 'FINALIZED', finalizedBy: signer, identityStatement: 'Wristband <b>and</b> referral' }),
  );
  const { body } = new DOMParser().parseFromString(printed, 'text/html');

  expect(body.textContent).toContain('The signer stated: “Wristband <b>and</b> referral”');
});

test('a printed report shows critical findings above the text, each once', () => {
  const recorded = (finding: string) => ({
    id: finding,
    finding,
    severity: 'CRITICAL' as const,
    state: 'OPEN' as const,
    identifiedBy: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
    identifiedDateTime: '2026-11-21T11:00:00Z',
    dueAt: '2026-11-21T12:00:00Z',
  });
  const criticalFindings = [recorded('Free air <under> diaphragm')];
  const flagged = { hasCriticalFindings: true, criticalFindings, content: '<p>The text.</p>' };
  const wordsOf = (criticalFindingsDetails: string) =>
    new DOMParser().parseFromString(printedReport(reportFor({ ...flagged, criticalFindingsDetails })), 'text/html').body
      .textContent;

  expect(wordsOf('Call the ward')).toMatch(
    /Critical findings\s+Call the ward\s+Critical: within minutes\. Free air <under> diaphragm[^]*The text\./,
  );
  expect(wordsOf('Free air <under> diaphragm').match(/Free air/g)).toHaveLength(1);
  expect(printedReport(reportFor())).not.toContain('Critical findings');
});

test('a printed report shows addenda and corrections below the text in order, with the struck passages', () => {
  const signer = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad', credentials: '' };
  const part = {
    number: 1,
    kind: 'ADDENDUM' as const,
    content: '<p>Compared with 2024.</p>',
    passage: '',
    corrects: null,
    finalizedBy: signer,
    finalizedAt: '2026-11-22T08:00:00Z',
    statement: '',
    signatureData: null,
    signingRemark: '',
    identityStatement: '',
    contentHash: 'cd34',
    isUnchanged: true,
  };
  const correction = {
    ...part,
    number: 2,
    kind: 'CORRECTION' as const,
    passage: 'left <lobe>',
    corrects: 0,
    content: '<p>right</p>',
  };

  const printed = printedReport(
    reportFor({
      status: 'FINALIZED',
      amended: true,
      addenda: [part, correction],
      finalizedBy: signer,
      isUnchanged: false,
    }),
  );
  const { body } = new DOMParser().parseFromString(printed, 'text/html');

  expect(body.textContent).toContain('AMENDED: additions and corrections follow the text.');
  expect(Array.from(body.querySelectorAll('h2'), ({ textContent }) => textContent)).toEqual([
    'Addendum 1',
    'Correction 2 of the report',
  ]);
  expect(body.querySelector('del')?.textContent).toBe('left <lobe>');
  expect(body.textContent).toContain('This is not the text that was signed.');
});

test('a report is printed on A4 with margins of 2 cm, in Times 12 pt', () => {
  const style = new DOMParser().parseFromString(printedReport(reportFor()), 'text/html').querySelector('style');

  expect(style?.textContent).toContain('@page { size: A4; margin: 2cm }');
  expect(style?.textContent).toMatch(/body \{[^}]*font: 12pt\/[\d.]+ "Times New Roman", Times/);
});
