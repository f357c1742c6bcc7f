import { health } from '@radwork/contract/identity/health';
import type { Page } from '@radwork/contract/core/paging';
import type { LinkOpen, ReportLink } from '@radwork/contract/reading/sharing';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QRCodeSVG } from 'qrcode.react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { ShareAction } from './share-action.tsx';
import { ShareDialog } from './share-dialog.tsx';

const link: ReportLink = {
  linkHash: 'h4sh',
  createdAt: '2026-11-21T10:00:00Z',
  expiresAt: '2026-12-21T10:00:00Z',
  openCount: 2,
  lastOpenedAt: '2026-11-22T10:00:00Z',
  question: null,
  maxOpens: null,
  lockedUntil: null,
};

const patientRecordId = 'a7c2f3de-0000-4000-8000-000000000001';
const page = { totalPages: 1, number: 0, size: 10 };
const noOpens = answer(reportLinks.opens, () => ({ ...page, content: [], totalElements: 0 }));
const terms = (overrides: { isCodeRequired?: boolean; hasBirthDate?: boolean } = {}) =>
  answer(reportLinks.terms, () => ({
    days: 30,
    isCodeRequired: false,
    hasBirthDate: true,
    ...overrides,
  }));

const showDialog = () =>
  show(<ShareDialog report={reportFor({ status: 'FINALIZED', patientRecordId })} opened onClose={() => undefined} />);

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('a share link has an address to open, copy and scan, and shows when it expires', async () => {
  serve(
    noOpens,
    answer(reportLinks.get, () => link),
  );
  showDialog();

  const open = await screen.findByRole('link', { name: 'Open link' });

  expect(open.getAttribute('href')).toBe(`${window.location.origin}/portal/report/h4sh`);
  expect(open.getAttribute('rel')).toContain('noreferrer');
  expect(screen.getByLabelText<HTMLInputElement>('Link').value).toBe(`${window.location.origin}/portal/report/h4sh`);
  const scanned = screen.getByTitle('QR code of the link').closest('svg');
  const shapes = Array.from(scanned?.querySelectorAll('path') ?? [], (path) => path.getAttribute('d'));
  const svgMarkup = renderToStaticMarkup(
    <QRCodeSVG value={open.getAttribute('href') ?? ''} level="M" marginSize={2} />,
  );
  expect(shapes.length).toBeGreaterThan(1);
  expect(shapes.filter((shape) => !svgMarkup.includes(`d="${shape}"`))).toEqual([]);
  expect(screen.getByText(/^Valid until 2026-12-2\d \d\d:\d\d\. Opened 2 times, last on 2026-11-2\d/)).toBeDefined();
  // Uses `userEvent.setup`, because only this provides a clipboard.
  await userEvent.setup().click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(open.getAttribute('href'));
});

test('a locked link shows when it is unlocked, and a limited link shows its number of opens', async () => {
  const lockedUntil = new Date(Date.now() + 600_000).toISOString();
  serve(
    noOpens,
    answer(reportLinks.get, (): ReportLink => ({ ...link, question: 'PASSCODE', maxOpens: 3, lockedUntil })),
  );
  showDialog();

  expect(await screen.findByText(/^Too many wrong codes. The link is locked until/)).toBeDefined();
  expect(screen.getByText(/Maximum opens: 3\.$/)).toBeDefined();
});

test('a share link can require the date of birth', async () => {
  const calls = serve(
    noOpens,
    terms(),
    answer(reportLinks.get, () => null),
    answer(reportLinks.create, () => link),
  );
  showDialog();

  await userEvent.click(await screen.findByRole('radio', { name: 'Date of birth' }));
  await press('Create link');

  await screen.findByText('Link created');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    days: 30,
    asksBirthDate: true,
    maxOpens: null,
    patientRecordId,
  });
});

test('a share link uses the public address of the installation', async () => {
  serve(
    noOpens,
    answer(reportLinks.get, () => link),
    answer(health.about, () => ({ name: 'Radwork', version: '1', publicUrl: 'https://pacs.example.org' })),
  );
  showDialog();

  expect(await screen.findByDisplayValue('https://pacs.example.org/portal/report/h4sh')).toBeDefined();
});

test.each([
  [true, 1],
  [false, 0],
])('with the browser function canShare %s, the dialog has %i share buttons', (canShare, count) => {
  const report = reportFor();
  show(<ShareAction report={{ ...report, rights: { ...report.rights, canShare } }} />);

  expect(screen.queryAllByRole('button', { name: 'Share' })).toHaveLength(count);
});

test('opening the dialog creates no link; the user first chooses duration, code and number of opens', async () => {
  let created: ReportLink | null = null;
  const calls = serve(
    noOpens,
    terms(),
    answer(reportLinks.get, () => created),
    answer(reportLinks.create, () => (created = { ...link, question: 'PASSCODE' })),
  );
  showDialog();

  await userEvent.click(await screen.findByRole('radio', { name: 'Passcode' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Passcode' }), 'abc');
  await press('Create link');
  expect(await screen.findByText('Use at least 6 characters')).toBeDefined();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.type(screen.getByRole('textbox', { name: 'Passcode' }), 'def');
  expect(screen.getByText('Each opening of the page or its PDF counts.')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Maximum opens' }), '3');
  await press('Create link');

  expect(await screen.findByText('Link created')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    days: 30,
    asksBirthDate: false,
    maxOpens: 3,
    passcode: 'abcdef',
    patientRecordId,
  });
  expect(await screen.findByText(/^Anyone with this link and the passcode can view/)).toBeDefined();
  expect(screen.queryByText('abcdef')).toBeNull();
});

test('a link without a code is not offered if the organization requires a code', async () => {
  serve(
    noOpens,
    terms({ isCodeRequired: true, hasBirthDate: false }),
    answer(reportLinks.get, () => null),
  );
  showDialog();

  const nothing = await screen.findByRole<HTMLInputElement>('radio', { name: 'No code' });

  expect(nothing.disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Date of birth' }).disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Passcode' }).checked).toBe(true);
});

test.each([
  [{ isCodeRequired: false, hasBirthDate: true }, 'Date of birth'],
  [{ isCodeRequired: true, hasBirthDate: true }, 'Date of birth'],
  [{ isCodeRequired: false, hasBirthDate: false }, 'Passcode'],
])('for a study with %o the dialog proposes this code: %s', async (overrides, proposed) => {
  serve(
    noOpens,
    terms(overrides),
    answer(reportLinks.get, () => null),
  );
  showDialog();

  expect((await screen.findByRole<HTMLInputElement>('radio', { name: proposed })).checked).toBe(true);
});

test('a link has no code only if the user chooses this, and a warning appears', async () => {
  const calls = serve(
    noOpens,
    terms(),
    answer(reportLinks.get, () => null),
    answer(reportLinks.create, () => link),
  );
  showDialog();

  const nothing = await screen.findByRole('radio', { name: 'No code' });
  expect(screen.queryByText(/^Anyone who receives a link without a code/)).toBeNull();
  await userEvent.click(nothing);
  expect(screen.getByText(/^Anyone who receives a link without a code/)).toBeDefined();
  await press('Create link');

  await screen.findByText('Link created');
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ asksBirthDate: false });
});

test('revoking a link requires a confirmation that names the consequence', async () => {
  const calls = serve(
    noOpens,
    answer(reportLinks.get, () => link),
    answer(reportLinks.revoke, () => undefined),
  );
  showDialog();

  await press('Revoke');
  expect(await screen.findByText(/The link was opened 2 times/)).toBeDefined();
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await press('Revoke link');

  expect(await screen.findByText('Link revoked')).toBeDefined();
  expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('the log of a link shows when it was opened or refused, and from which network', async () => {
  serve(
    answer(reportLinks.get, () => link),
    answer(reportLinks.opens, (): Page<LinkOpen> => ({
      ...page,
      totalElements: 2,
      content: [
        { at: '2026-11-22T10:00:00Z', outcome: 'OPENED', network: '203.0.113.x', isEarlierLink: false },
        { at: '2026-11-22T09:59:00Z', outcome: 'WRONG_CODE', network: '198.51.100.x', isEarlierLink: true },
      ],
    })),
  );
  showDialog();

  const log = await screen.findByRole('region', { name: 'Log of opens' });

  const [, opened, refused] = within(log).getAllByRole('row');
  expect(opened?.textContent).toMatch(/^2026-11-2\d \d\d:\d\dOpened203\.0\.113\.x$/);
  expect(refused?.textContent).toMatch(/Wrong code earlier link198\.51\.100\.x$/);
});

test('a refusal to share shows the reason of the server', async () => {
  serve(
    noOpens,
    terms(),
    answer(reportLinks.get, () => null),
    refuse(reportLinks.create, 409, 'The report is Draft. Only finalized reports can be shared.'),
  );
  showDialog();

  await press('Create link');

  const words = await screen.findAllByText('The report is Draft. Only finalized reports can be shared.');
  expect(words.length).toBeGreaterThan(0);
});
