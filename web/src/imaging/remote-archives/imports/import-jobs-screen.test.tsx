import { importJobExport, importJobs } from '@radwork/contract/imaging/import-jobs';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { importJob, jobsPage, sentBy } from '#test/remote-archives.ts';
import { answer, answerBytes, signIn, visit } from '#test/screen.tsx';

const open = async (...answers: Parameters<typeof visit>[1][]) => {
  signIn();
  const view = visit('/queue-jobs', ...answers);
  await screen.findByRole('heading', { name: 'Import jobs' });
  return view;
};

test('a running import shows its progress, and polling it does not prolong the session', async () => {
  const { calls } = await open(answer(importJobs.list, () => jobsPage(importJob({ failed: 2 }))));

  expect(await screen.findByText('100 of 412, 2 failed')).toBeDefined();
  const pollRequests = () => calls.filter(({ url }) => url.pathname === '/api/queue-jobs');
  await waitFor(() => expect(pollRequests().length).toBeGreaterThan(1));
  expect(pollRequests().every(({ headers }) => headers.get('x-poll') === '1')).toBe(true);
});

test('opened details of an import stay open while it runs', async () => {
  let received = 100;
  await open(
    answer(importJobs.list, () => jobsPage(importJob({ received: received++ }))),
    answer(importJobs.read, () => ({ ...importJob(), failures: [] })),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Show details' }));

  expect(await screen.findByText('101 of 412')).toBeDefined();

  expect(screen.getByRole('button', { name: 'Hide details' })).toBeDefined();
});

test('import jobs do not move under the pointer when a colleague starts another import', async () => {
  const mine = importJob();
  let content = [mine];
  await open(answer(importJobs.list, () => jobsPage(...content)));
  const row = await screen.findByRole('row', { name: /Haddad, Noor/ });
  await userEvent.hover(within(row).getByText('Haddad, Noor'));

  content = [importJob({ id: 'another', patientName: 'Lindqvist, Ebba', received: 3 }), { ...mine, received: 200 }];

  expect(await screen.findByText('200 of 412')).toBeDefined();
  expect(screen.queryByText('Lindqvist, Ebba')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Update list' }));
  expect(await screen.findByText('Lindqvist, Ebba')).toBeDefined();
});

test('an import lists its missing instances, and Retry fetches only those', async () => {
  const partial = importJob({ state: 'PARTIAL', expected: 3, received: 2, failed: 1, cause: 'The archive stopped' });
  const failures = [{ sopInstanceUID: '1.2.3.9', reason: 'The file broke off before its end.' }];
  const { calls } = await open(
    answer(importJobs.list, () => jobsPage(partial)),
    answer(importJobs.read, () => ({ ...partial, failures })),
    answer(importJobs.retry, () => importJob({ state: 'QUEUED' })),
  );
  const row = await screen.findByRole('row', { name: /Haddad, Noor/ });

  await userEvent.click(within(row).getByRole('button', { name: 'Show details' }));
  expect(await screen.findByText('1.2.3.9')).toBeDefined();
  await userEvent.click(within(row).getByRole('button', { name: /^Retry/ }));

  expect(await screen.findByText('Import started')).toBeDefined();
  expect(sentBy(calls, 'POST')[0]?.url.pathname).toBe(`/api/queue-jobs/${partial.id}/retry`);
});

test('canceling an import asks first and says how many received images stay stored', async () => {
  const { calls } = await open(
    answer(importJobs.list, () => jobsPage(importJob())),
    answer(importJobs.cancel, () => importJob({ state: 'CANCELLED' })),
  );

  await userEvent.click(await screen.findByRole('button', { name: /^Cancel Haddad/ }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('100 received images stay');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel import' }));

  expect(await screen.findByText('Import canceled')).toBeDefined();
  expect(sentBy(calls, 'POST')[0]?.url.pathname).toMatch(/cancel$/);
});

test('a screen without imports shows that nothing was imported', async () => {
  await open(answer(importJobs.list, () => jobsPage()));

  expect(await screen.findByText('No imports yet')).toBeDefined();
});

test('the imports are exported as CSV by the chosen state', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
  signIn();
  const { calls } = visit(
    '/queue-jobs?state=FAILED',
    answer(importJobs.list, () => jobsPage(importJob({ state: 'FAILED' }))),
    answerBytes(importJobExport.path, () => new Response('"Patient Name"')),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }));

  expect(await screen.findByText('Imports exported. The audit log records the export.')).toBeDefined();
  const sent = calls.find(({ url }) => url.pathname === importJobExport.path);
  expect(sent?.url.search).toBe('?state=FAILED');
});
