import { importJobs } from '@radwork/contract/imaging/import-jobs';
import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { jobsPage, remoteStudy, sentBy } from '#test/remote-archives.ts';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const open = async (...answers: Parameters<typeof visit>[1][]) => {
  signIn();
  const view = visit(
    '/studies/create',
    ...answers,
    answer(importJobs.list, () => jobsPage()),
  );
  await userEvent.click(await screen.findByRole('tab', { name: 'DICOMWEB' }));
  return view;
};

const connect = async () => {
  await userEvent.type(screen.getByLabelText(/^Host/), 'pacs.lan');
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
};

test('the port of a DICOMweb archive defaults to 8042, and a host is required', async () => {
  const { calls } = await open();

  expect(screen.getByLabelText(/^Port/)).toHaveProperty('value', '8042');
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }));

  expect(screen.getByText('Host is required')).toBeDefined();
  expect(screen.getByText('Not connected to PACS')).toBeDefined();
  expect(sentBy(calls, 'POST')).toEqual([]);
});

test('a DICOMweb archive can be connected, searched and disconnected', async () => {
  const { calls } = await open(
    answer(remoteStudies.connect, () => ({ id: 'c9', server: 'Orthanc 1.12' })),
    answer(remoteStudies.search, () => ({ studies: [remoteStudy()], hasMore: false })),
  );

  await connect();
  expect((await screen.findByText('pacs.lan:8042')).textContent).toContain('Orthanc 1.12');
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));

  expect(await screen.findByText('Haddad, Noor')).toBeDefined();
  expect(screen.getByRole('button', { name: /^Retrieve: Haddad, Noor/ })).toBeDefined();
  expect(sentBy(calls, 'POST')[0]?.body).toMatchObject({
    host: 'pacs.lan',
    port: 8042,
    path: '/dicom-web',
    isTls: false,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Disconnect' }));
  expect(screen.getByText('Not connected to PACS')).toBeDefined();
  expect(screen.getByLabelText(/^Host/)).toHaveProperty('value', 'pacs.lan');
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
});

test('a failed connection to an archive shows the reason once', async () => {
  await open(
    refuse(remoteStudies.connect, 422, 'Failed to connect to PACS: the connection was refused', {
      error: 'remote.failed',
    }),
  );

  await connect();

  expect(await screen.findByText('Failed to connect to PACS: the connection was refused')).toBeDefined();
});

test('a failed query of an archive shows an error', async () => {
  await open(
    answer(remoteStudies.connect, () => ({ id: 'c9', server: '' })),
    refuse(remoteStudies.search, 502, 'the archive answered 500'),
  );

  await connect();
  await userEvent.click(await screen.findByRole('button', { name: 'Search' }));

  expect(await screen.findByText('Query failed: the archive answered 500')).toBeDefined();
});
