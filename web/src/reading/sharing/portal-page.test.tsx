import { codeNeeded, portal, type PortalReport } from '@radwork/contract/reading/portal';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { readSession } from '#core/state/session.ts';
import { answer, answerBytes, refuse, signIn, visit } from '#test/screen.tsx';

const hash = 'a'.repeat(64);

const report: PortalReport = {
  content: '<h2>Impression</h2><p>No embolism.</p><script>alert(1)</script>',
  tenantName: 'North Clinic',
  letterhead: 'Harbour Street 1',
  letterheadFooter: 'Radiology, ground floor',
  letterheadLogo: null,
  contact: '',
  patientName: 'Doe, Jane',
  patientIdentifier: { kind: 'BIRTH_DATE', value: '1961-04-30' },
  studyDate: '2026-11-20T09:30:00',
  studyDescription: 'CT chest',
  modality: 'CT',
  authorName: 'Mona Haddad',
  finalizedByName: 'Rex Reviewer',
  finalizedByCredentials: 'MD, FACR',
  finalizedAt: '2026-11-21T12:00:00Z',
  statement: 'I confirm that this report is complete and accurate',
  signatureData: null,
  signingRemark: '',
  identityStatement: '',
  contentHash: hash,
  isUnchanged: true,
  amended: false,
  newerSignedAt: null,
  addenda: [],
  criticalFindings: [],
  criticalFindingsDetails: '',
};

const refusal = (status: number, error: string, message: string) =>
  answerBytes('/api/portal/report/h4sh', () =>
    Response.json({ code: status, error, message, traceId: 'trace-1' }, { status }),
  );

test('a share link shows the report with patient and signer, without sign-in', async () => {
  const { calls, address } = visit(
    '/portal/report/h4sh',
    answer(portal.report, () => report),
  );

  expect(await screen.findByText('No embolism.')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Doe, Jane' })).toBeDefined();
  expect(screen.getByText('CT chest · CT · 2026-11-20 09:30')).toBeDefined();
  expect(screen.getByText(/^Signed by Rex Reviewer, MD, FACR, 2026-11-2\d/)).toBeDefined();
  expect(screen.getByText('Harbour Street 1')).toBeDefined();
  expect(screen.getByText('Radiology, ground floor')).toBeDefined();
  expect(document.querySelector('article script')).toBeNull();
  expect(address()).toBe('/portal/report/h4sh');
  expect(calls.map(({ url }) => url.pathname)).toContain('/api/portal/report/h4sh');
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.queryByText(/AMENDED|Critical findings/)).toBeNull();
});

test('the shared report shows logo, signature image, statement and SHA-256', async () => {
  const picture = 'data:image/png;base64,AAAA';
  visit(
    '/portal/report/h4sh',
    answer(portal.report, () => ({ ...report, letterheadLogo: picture, signatureData: picture })),
  );

  const signature = await screen.findByRole('img', { name: 'Signature of Rex Reviewer' });

  const pictures = Array.from(document.querySelectorAll('article img'), (image) => image.getAttribute('src'));
  expect(pictures).toEqual([picture, picture]);
  expect(signature.getAttribute('src')).toBe(picture);
  expect(screen.getByText(`“${report.statement}”`)).toBeDefined();
  expect(screen.getByText(hash)).toBeDefined();
  expect(screen.getByText('Written by Mona Haddad')).toBeDefined();
});

test('the shared page says how the signers of report and addendum identified the patient', async () => {
  const addendum = {
    number: 1,
    kind: 'ADDENDUM' as const,
    content: '<p>Unchanged.</p>',
    passage: '',
    corrects: null,
    finalizedAt: '2026-11-22T12:00:00Z',
    statement: '',
    signatureData: null,
    signingRemark: '',
    identityStatement: 'Asked at the bedside',
    contentHash: hash,
    isUnchanged: true,
    signedByName: 'Mona Haddad',
    signedByCredentials: '',
  };
  visit(
    '/portal/report/h4sh',
    answer(portal.report, () => ({ ...report, identityStatement: 'Wristband and referral', addenda: [addendum] })),
  );

  expect(await screen.findByText(/The signer stated: “Wristband and referral”/)).toBeDefined();
  expect(screen.getByText(/The signer stated: “Asked at the bedside”/)).toBeDefined();
});

test('the shared report shows the date of birth and a contact', async () => {
  visit(
    '/portal/report/h4sh',
    answer(portal.report, () => ({ ...report, contact: '+49 30 4711' })),
  );

  expect(await screen.findByText('Date of birth 1961-04-30')).toBeDefined();
  expect(screen.getByText('Questions about this report: +49 30 4711')).toBeDefined();
});

test('an earlier shared report has a notice above its text when a newer report was signed', async () => {
  visit(
    '/portal/report/h4sh',
    answer(portal.report, () => ({ ...report, newerSignedAt: '2026-11-25T08:00:00Z' })),
  );

  const notice = await screen.findByText('A newer report of this study was signed');

  expect(notice.parentElement?.textContent).toMatch(
    /signed on 2026-11-25 \d\d:\d\d\. Do not rely on this report alone/,
  );
});

test('a shared text that differs from the signed text has a notice above the text and at the signature', async () => {
  visit(
    '/portal/report/h4sh',
    answer(portal.report, () => ({ ...report, isUnchanged: false })),
  );

  const [above, ...others] = await screen.findAllByText('This is not the text that was signed.');

  expect(others).toHaveLength(1);
  const articleText = document.querySelector('article')?.textContent ?? '';
  expect(articleText.indexOf(above?.textContent ?? '-')).toBeLessThan(articleText.indexOf('No embolism.'));
});

test('a link that opens no report shows a message and a retry button', async () => {
  visit('/portal/report/wrong', refuse(portal.report, 404, 'Report not found'));

  expect(await screen.findByText('Failed to load report. Please try again later.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a shared report shows critical findings and a notice of changes above its text, and addenda below', async () => {
  const addendum = {
    number: 1,
    kind: 'CORRECTION' as const,
    content: '<p>left lung</p>',
    passage: 'right lung',
    corrects: 0,
    finalizedAt: '2026-11-22T12:00:00Z',
    statement: '',
    signatureData: null,
    signingRemark: '',
    identityStatement: '',
    contentHash: hash,
    isUnchanged: true,
    signedByName: 'Mona Haddad',
    signedByCredentials: '',
  };
  visit(
    '/portal/report/h4sh',
    answer(portal.report, (): PortalReport => ({
      ...report,
      amended: true,
      addenda: [addendum],
      criticalFindingsDetails: 'Free air',
      criticalFindings: [
        { finding: '<img src=x onerror=alert(1)>', severity: 'CRITICAL', identifiedDateTime: '2026-11-21T11:00:00Z' },
      ],
    })),
  );

  expect(await screen.findByText('AMENDED.')).toBeDefined();
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeDefined();
  expect(document.querySelector('article img')).toBeNull();
  expect(screen.getByText('Critical: within minutes')).toBeDefined();
  expect(screen.getByText('Free air')).toBeDefined();
  const articleText = document.querySelector('article')?.textContent ?? '';
  const places = ['onerror', 'AMENDED.', 'No embolism.', 'left lung'].map((words) => articleText.indexOf(words));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  const correction = screen.getByRole('region', { name: 'Correction 1 of the report' });
  expect(correction.textContent).toContain('right lung');
  expect(correction.textContent).toContain('Signed by Mona Haddad');
});

test('a protected link shows no name before the right code, which is sent in the request body', async () => {
  const { calls } = visit(
    '/portal/report/h4sh',
    refusal(401, codeNeeded.PASSCODE, 'Enter the passcode'),
    answer(portal.open, () => report),
    refuse(portal.pdf, 404, 'Report not found'),
  );

  const field = await screen.findByLabelText('Passcode');
  expect(screen.queryByText('Doe, Jane')).toBeNull();
  await userEvent.type(field, 'marigold');
  await userEvent.click(screen.getByRole('button', { name: 'Show report' }));

  expect(await screen.findByRole('heading', { name: 'Doe, Jane' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'PDF' }));
  await screen.findByText('This link is no longer valid');
  const sent = calls.filter(({ method }) => method === 'POST').map(({ url, body }) => [url.pathname, body]);
  expect(sent).toEqual([
    ['/api/portal/report/h4sh', { code: 'marigold' }],
    ['/api/portal/report/h4sh/pdf', { code: 'marigold' }],
  ]);
  expect(calls.every(({ url }) => !url.href.includes('marigold'))).toBe(true);
});

test('a wrong code shows an error at its field, and a locked link shows a failure', async () => {
  let isLocked = false;
  visit('/portal/report/h4sh', refusal(401, codeNeeded.BIRTH_DATE, 'Enter the date of birth'), {
    ...refuse(portal.open, 401, 'The passcode or date of birth is wrong. Check it and try again.'),
    reply: () =>
      isLocked
        ? Response.json(
            { code: 404, error: 'report.not_found', message: 'Report not found', traceId: 't' },
            { status: 404 },
          )
        : Response.json(
            {
              code: 401,
              error: 'report_link.wrong_code',
              message: 'The passcode or date of birth is wrong. Check it and try again.',
              traceId: 't',
            },
            { status: 401 },
          ),
  });

  await userEvent.type(await screen.findByLabelText('Date of birth'), '1961-04-30');
  await userEvent.click(screen.getByRole('button', { name: 'Show report' }));
  expect(await screen.findByText('The passcode or date of birth is wrong. Check it and try again.')).toBeDefined();
  isLocked = true;
  await userEvent.click(screen.getByRole('button', { name: 'Show report' }));

  expect(await screen.findByText('Failed to load report. Please try again later.')).toBeDefined();
  expect(screen.getByText(/Try again in 15 minutes, or ask the sender for a new link/)).toBeDefined();
});

test("a link is opened without the user's session, which stays valid if a code is required", async () => {
  const session = signIn();
  const { calls } = visit('/portal/report/h4sh', refusal(401, codeNeeded.PASSCODE, 'Enter the passcode'));

  await screen.findByLabelText('Passcode');

  await waitFor(() => expect(calls.some(({ url }) => url.pathname.includes('/portal/'))).toBe(true));
  const opening = calls.find(({ url }) => url.pathname.includes('/portal/'));
  expect(opening?.headers.has('authorization')).toBe(false);
  expect(readSession()?.token).toBe(session.token);
});
