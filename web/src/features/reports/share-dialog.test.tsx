import { health } from '@radwork/contract/health';
import { reports } from '@radwork/contract/reports';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { ShareDialog } from './share-dialog.tsx';

const link = {
  linkHash: 'h4sh',
  createdAt: '2026-11-21T10:00:00Z',
  expiresAt: '2026-12-21T10:00:00Z',
  openCount: 2,
  lastOpenedAt: '2026-11-22T10:00:00Z',
};

const showDialog = (onClose = () => {}) =>
  show(<ShareDialog report={reportFor({ status: 'FINALIZED' })} opened onClose={onClose} />);

test('a shared report has an address to open, to copy and to scan, and says how long it holds', async () => {
  serve(answer(reports.share, () => link));
  showDialog();

  const open = await screen.findByRole('link', { name: 'Open link' });

  expect(open.getAttribute('href')).toBe(`${window.location.origin}/portal/report/h4sh`);
  expect(screen.getByLabelText<HTMLInputElement>('Link').value).toBe(`${window.location.origin}/portal/report/h4sh`);
  expect(screen.getByTitle('QR code of the link')).toBeDefined();
  expect(screen.getByText(/^Valid until 2026-12-2\d \d\d:\d\d\. Opened 2 times, last on 2026-11-2\d/)).toBeDefined();
});

test('the link carries the address under which people reach the product', async () => {
  serve(
    answer(reports.share, () => link),
    answer(health.about, () => ({ name: 'Radwork', version: '1', publicUrl: 'https://pacs.example.org' })),
  );
  showDialog();

  expect(await screen.findByDisplayValue('https://pacs.example.org/portal/report/h4sh')).toBeDefined();
});

test('a link is revoked after a question', async () => {
  const calls = serve(
    answer(reports.share, () => link),
    answer(reports.revoke, () => undefined),
  );
  showDialog();

  await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke link' }));

  expect(await screen.findByText('Link revoked')).toBeDefined();
  expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('why a report cannot be shared is said in the server’s words', async () => {
  serve(refuse(reports.share, 409, 'The report is Draft: only a finalized report can be shared'));
  showDialog();

  expect(await screen.findByText('The report is Draft: only a finalized report can be shared')).toBeDefined();
});
