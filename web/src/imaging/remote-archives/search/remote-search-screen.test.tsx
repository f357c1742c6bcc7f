import { importJobs } from '@radwork/contract/imaging/import-jobs';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { importJob, jobsPage, remoteStudy, sentBy } from '#test/remote-archives.ts';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';

const configurationsAnswer = answer(remoteConfigurations.list, () => [
  { id: 'c1', aeTitle: 'NORTH_PACS', protocol: 'DICOMWEB' as const },
]);
const noJobs = answer(importJobs.list, () => jobsPage());
const searchAnswer = answer(remoteStudies.search, () => ({ studies: [remoteStudy()], hasMore: false }));

const open = async (address: string, ...answers: Parameters<typeof visit>[1][]) => {
  signIn();
  const view = visit(address, ...answers, noJobs);
  await screen.findByRole('heading', { name: 'Remote Studies Search' });
  return view;
};

test('a search without a configuration asks the user for a configuration and sends nothing', async () => {
  const { calls } = await open('/stydys-search', configurationsAnswer);
  await userEvent.type(await screen.findByLabelText('Patient name'), 'Haddad');

  await userEvent.click(screen.getByRole('button', { name: 'Search' }));

  expect(screen.getByText('Please select a configuration')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname === '/api/remote/search')).toBe(false);
});

test('the address contains the search, and the archive receives one query', async () => {
  const { calls, address } = await open('/stydys-search', configurationsAnswer, searchAnswer);
  await userEvent.selectOptions(await screen.findByLabelText('Configuration'), 'c1');
  await userEvent.type(screen.getByLabelText('Patient name'), 'Haddad');
  await userEvent.type(screen.getByLabelText('From date'), '2026-11-01');

  await userEvent.click(screen.getByRole('button', { name: 'Search' }));

  expect(await screen.findByText('Haddad, Noor')).toBeDefined();
  expect(address()).toBe('/stydys-search?configId=c1&patientName=Haddad&startDate=2026-11-01');
  const searches = calls.filter(({ url }) => url.pathname === '/api/remote/search');
  expect(searches.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
    { configId: 'c1', patientName: 'Haddad', studyDate: '20261101-' },
  ]);
});

test('a study is imported with its patient names, and its progress appears at once', async () => {
  let isQueued = false;
  const jobs = answer(importJobs.list, () => (isQueued ? jobsPage(importJob()) : jobsPage()));
  const queue = answer(importJobs.create, () => {
    isQueued = true;
    return importJob();
  });
  const { calls } = await open(
    '/stydys-search?configId=c1&patientName=H',
    configurationsAnswer,
    searchAnswer,
    jobs,
    queue,
  );
  const row = await screen.findByRole('row', { name: /Haddad, Noor/ });

  await userEvent.click(within(row).getByRole('button', { name: /^Import/ }));

  expect(await screen.findByText('Import started')).toBeDefined();
  expect(await within(row).findByText('100 of 412')).toBeDefined();
  expect(sentBy(calls, 'POST')[0]?.body).toMatchObject({
    jobId: '1.2.3',
    remoteConfigId: 'c1',
    types: 'IMPORT',
    parameters: { patientName: 'Haddad, Noor', studyDescription: 'CT CHEST' },
  });
});

test('several studies can be selected and imported together', async () => {
  const two = answer(remoteStudies.search, () => ({
    studies: [remoteStudy(), remoteStudy({ studyInstanceUID: '1.2.4', patientName: 'Other, X' })],
    hasMore: true,
  }));
  const queue = answer(importJobs.create, () => importJob());
  const { calls } = await open('/stydys-search?configId=c1', configurationsAnswer, two, queue);
  await screen.findByText(/Refine your search/);

  for (const box of screen.getAllByRole('checkbox')) await userEvent.click(box);
  await userEvent.click(screen.getByRole('button', { name: 'Import selected' }));

  expect(await screen.findByText('2 imports started')).toBeDefined();
  expect(sentBy(calls, 'POST').map(({ body }) => body)).toMatchObject([{ jobId: '1.2.3' }, { jobId: '1.2.4' }]);
});

test('a partly imported study shows the number of stored images and a retry button', async () => {
  const jobs = answer(importJobs.list, () => jobsPage(importJob({ state: 'PARTIAL', cause: 'The archive stopped' })));
  await open('/stydys-search?configId=c1', configurationsAnswer, searchAnswer, jobs);

  const row = await screen.findByRole('row', { name: /Haddad, Noor/ });

  expect(await within(row).findByText('Partial')).toBeDefined();
  expect(within(row).getByRole('button', { name: /^Retry/ })).toBeDefined();
});

test('a study that cannot be queued for import is listed with its reason and stays selected', async () => {
  const two = answer(remoteStudies.search, () => ({
    studies: [remoteStudy(), remoteStudy({ studyInstanceUID: '1.2.4', patientName: 'Other, X' })],
    hasMore: false,
  }));
  await open(
    '/stydys-search?configId=c1',
    configurationsAnswer,
    two,
    refuse(importJobs.create, 404, 'Configuration not found'),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Select all' }));

  await userEvent.click(screen.getByRole('button', { name: 'Import selected' }));

  const failure = await screen.findByText('Other, X, CT CHEST: Configuration not found');
  expect(failure.closest('[role=alert]')?.textContent).toContain('Failed to import study');
  expect(screen.getByText('2 of 2 selected')).toBeDefined();
});

test('a study whose import was refused stays in the list while another study is imported', async () => {
  const studies = [remoteStudy(), remoteStudy({ studyInstanceUID: '1.2.4', patientName: 'Other, X' })];
  const two = answer(remoteStudies.search, () => ({ studies, hasMore: false }));
  const queue = {
    method: 'POST',
    path: /^\/api\/queue-jobs$/,
    reply: ({ body }: SentRequest) =>
      JSON.stringify(body).includes('1.2.4')
        ? Response.json({ code: 409, error: 'study.deleted', message: 'It is in the recycle bin' }, { status: 409 })
        : Response.json({ code: 200, data: importJob() }),
  };
  await open('/stydys-search?configId=c1', configurationsAnswer, two, queue);
  await userEvent.click(await screen.findByRole('button', { name: /^Import: Other, X/ }));
  await screen.findByText('Other, X, CT CHEST: It is in the recycle bin');

  await userEvent.click(screen.getByRole('button', { name: /^Import: Haddad, Noor/ }));

  expect(await screen.findByText('Import started')).toBeDefined();
  expect(screen.getByText('Other, X, CT CHEST: It is in the recycle bin')).toBeDefined();
});

test('when the import button of a row is disabled and then removed, the row gets the focus', async () => {
  let isQueued = false;
  const request = Promise.withResolvers<void>();
  const jobs = answer(importJobs.list, () => (isQueued ? jobsPage(importJob()) : jobsPage()));
  const queue = answer(importJobs.create, async () => {
    await request.promise;
    isQueued = true;
    return importJob();
  });
  await open('/stydys-search?configId=c1', configurationsAnswer, searchAnswer, jobs, queue);
  const row = await screen.findByRole('row', { name: /Haddad, Noor/ });

  within(row)
    .getByRole('button', { name: /^Import/ })
    .focus();
  await userEvent.keyboard('{Enter}');
  // Browsers remove the focus from a disabled button at the next frame.
  await waitFor(() => expect(document.activeElement).toBe(document.body));
  request.resolve();
  await within(row).findByText('100 of 412');

  await waitFor(() => expect(document.activeElement).toBe(row));
});

test('the import button gets the focus again after a refused request', async () => {
  const request = Promise.withResolvers<void>();
  const refused = answer(importJobs.create, async () => {
    await request.promise;
    throw new Error('no answer');
  });
  await open('/stydys-search?configId=c1', configurationsAnswer, searchAnswer, noJobs, refused);
  const row = await screen.findByRole('row', { name: /Haddad, Noor/ });
  const button = within(row).getByRole('button', { name: /^Import/ });

  button.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(document.body));
  request.resolve();

  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('the archive that was searched last is preselected', async () => {
  const { unmount } = await open('/stydys-search', configurationsAnswer, searchAnswer);
  await userEvent.selectOptions(await screen.findByLabelText('Configuration'), 'c1');
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
  await screen.findByText('Haddad, Noor');
  unmount();

  await open('/stydys-search', configurationsAnswer);

  expect(await screen.findByLabelText('Configuration')).toHaveProperty('value', 'c1');
  expect(screen.getByText('No search yet')).toBeDefined();
});

test('a study that is already imported can be opened', async () => {
  const stored = answer(remoteStudies.search, () => ({ studies: [remoteStudy({ studyId: 's1' })], hasMore: false }));
  await open('/stydys-search?configId=c1', configurationsAnswer, stored);

  const link = await screen.findByRole('link', { name: /^Open/ });

  expect(link.getAttribute('href')).toBe('/studies/s1');
});

test('a study with more images in the archive than stored shows both counts and can be imported again', async () => {
  const part = remoteStudy({ studyId: 's1', instanceCount: 900, storedInstanceCount: 3 });
  await open(
    '/stydys-search?configId=c1',
    configurationsAnswer,
    answer(remoteStudies.search, () => ({ studies: [part], hasMore: false })),
  );

  expect(await screen.findByText('3 of 900 stored')).toBeDefined();
  expect(screen.getByRole('button', { name: /^Import again/ })).toBeDefined();
  expect(screen.queryByText('In the archive')).toBeNull();
});

test("an unreachable archive shows the server's message", async () => {
  const away = refuse(remoteStudies.search, 502, 'The archive refused the connection');
  await open('/stydys-search?configId=c1', configurationsAnswer, away);

  expect(await screen.findByText('Failed to search studies')).toBeDefined();
  expect(screen.getByText('The archive refused the connection')).toBeDefined();
});

test('a failed load of the configurations and an empty list show different messages', async () => {
  const { rerender } = {
    rerender: () =>
      visit(
        '/stydys-search',
        answer(remoteConfigurations.list, () => []),
        noJobs,
      ),
  };
  await open('/stydys-search', refuse(remoteConfigurations.list, 500, 'Server error occurred'));
  expect(await screen.findByText('Failed to load configurations')).toBeDefined();

  rerender();

  await waitFor(() => expect(screen.getByText('No archives configured')).toBeDefined());
});
