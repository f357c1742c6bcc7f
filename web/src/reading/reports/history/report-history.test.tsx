import { type ReportHistoryEntry, reports } from '@radwork/contract/reading/reports';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { ReportHistory } from './report-history.tsx';

const entry = (version: number, overrides: Partial<ReportHistoryEntry> = {}): ReportHistoryEntry => ({
  version,
  status: 'DRAFT',
  action: 'SAVED',
  actor: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
  at: `2026-11-21T1${version}:00:00Z`,
  comment: '',
  contentHash: '',
  ...overrides,
});

const texts: Record<string, string> = {
  1: '<p>No effusion.</p>',
  2: '<p>Left effusion.</p>',
  3: '<p>Right effusion.</p>',
};

const report = reportFor({
  history: [entry(3), entry(2, { action: 'REVISION_REQUESTED', comment: 'Side?' }), entry(1, { action: 'CREATED' })],
});

const unflagged = { hasCriticalFindings: false as boolean | null, criticalFindingsDetails: '' as string | null };

/** Versions of a report that differ only in their critical findings. */
const flagged = (flags: Record<string, Partial<typeof unflagged>>) =>
  answer(reports.version, ({ url }) => {
    const version = url.pathname.at(-1) ?? '';
    return { ...entry(Number(version)), content: '<p>Text.</p>', ...unflagged, ...flags[version] };
  });

const details = (criticalFindingsDetails: string) => ({ hasCriticalFindings: true, criticalFindingsDetails });

const versions = answer(reports.version, ({ url }) => {
  const version = url.pathname.at(-1) ?? '';
  return { ...entry(Number(version)), content: texts[version] ?? '', ...unflagged };
});

const close = () => {};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('the history shows user, action, time and comment, newest first', async () => {
  serve();
  show(<ReportHistory report={report} opened onClose={close} />);

  const items = await screen.findAllByRole('listitem');

  expect(items.map(({ textContent }) => textContent?.replace(/\d{4}-.*:\d\d/, 'then'))).toEqual([
    'SavedMona Haddad, thenShow version 3',
    'Revision requestedMona Haddad, thenSide?Show version 2',
    'CreatedMona Haddad, thenShow version 1',
  ]);
});

test('the history includes signed addenda', async () => {
  serve();
  const addendum = {
    number: 1,
    kind: 'ADDENDUM' as const,
    content: '<p>x</p>',
    passage: '',
    corrects: null,
    finalizedBy: { id: 'u2', username: 'rex', name: 'Rex Reviewer', credentials: '' },
    finalizedAt: '2026-11-22T08:00:00Z',
    statement: '',
    signatureData: null,
    signingRemark: '',
    identityStatement: '',
    contentHash: 'cd',
    isUnchanged: true,
  };
  show(<ReportHistory report={{ ...report, addenda: [addendum] }} opened onClose={close} />);

  const [newest] = await screen.findAllByRole('listitem');

  expect(newest?.textContent).toMatch(/^Addendum 1 signedRex Reviewer, /);
});

test('the history compares the newest version with the one before, or two chosen versions', async () => {
  serve(versions);
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Compare two versions');
  expect(await screen.findByText('1 word added, 1 word removed')).toBeDefined();
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText('Left').closest('del')).not.toBeNull();
  expect(dialog.getByText('Right').closest('ins')).not.toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'From' }), '1');

  expect((await screen.findByText('No')).closest('del')).not.toBeNull();
});

test('the comparison names added and removed words for screen readers', async () => {
  serve(versions);
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Compare two versions');

  expect((await screen.findByText('Left')).closest('del')?.textContent).toBe('removed: Left');
  expect(screen.getByText('Right').closest('ins')?.textContent).toBe('added: Right');
});

test('the comparison of two versions with the same text shows critical findings removed between them', async () => {
  serve(flagged({ 2: details('Tension pneumothorax left <b>now</b>') }));
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Compare two versions');

  expect(await screen.findByRole('heading', { name: 'Critical findings: flag removed' })).toBeDefined();
  const removed = screen.getByText('Tension pneumothorax left <b>now</b>', { exact: false });
  expect(removed.closest('del')).not.toBeNull();
});

test('the comparison shows changed words of critical details, and omits details that neither version has', async () => {
  serve(flagged({ 2: details('Nodule left'), 3: details('Nodule right') }));
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Compare two versions');

  expect(await screen.findByRole('heading', { name: 'Critical findings: changed' })).toBeDefined();
  expect(screen.getByText('left').closest('del')).not.toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'From' }), '1');
  expect(await screen.findByRole('heading', { name: 'Critical findings: flagged' })).toBeDefined();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'To' }), '1');
  await waitFor(() => expect(screen.queryByRole('heading', { name: /^Critical findings/ })).toBeNull());
});

test('an old version says that it has no record of critical findings', async () => {
  serve(flagged({ 2: { hasCriticalFindings: null, criticalFindingsDetails: null }, 3: details('Nodule right') }));
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Compare two versions');

  expect(await screen.findByText(/^The critical finding of the older version was not recorded/)).toBeDefined();
  expect(screen.getByText('Nodule right')).toBeDefined();
});

test('a version shows its critical findings', async () => {
  serve(flagged({ 2: details('Nodule left') }));
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Show version 2');

  expect(await screen.findByText('Nodule left')).toBeDefined();
});

test('an earlier version is copied into the draft after a confirmation', async () => {
  serve(versions);
  const copied: string[] = [];
  show(<ReportHistory report={report} opened onClose={close} onCopy={(content) => copied.push(content)} />);

  await press('Show version 1');
  await userEvent.click(await screen.findByRole('button', { name: 'Copy into draft' }));
  expect(copied).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Copy version' }));

  expect(copied).toEqual(['<p>No effusion.</p>']);
});

test('a version cannot be copied while the report is not being edited', async () => {
  serve(versions);
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Show version 1');

  expect(await screen.findByText('No effusion.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Copy into draft' })).toBeNull();
});

test('the history shows why a version cannot be fetched', async () => {
  serve(refuse(reports.version, 503, 'The database cannot be reached.'));
  show(<ReportHistory report={report} opened onClose={close} />);

  await press('Show version 1');

  expect(await screen.findByText('The database cannot be reached.')).toBeDefined();
});
