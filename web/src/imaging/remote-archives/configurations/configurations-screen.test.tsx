import { applicationEntities } from '@radwork/contract/identity/application-entities';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { configuration, failed, sentBy, works } from '#test/remote-archives.ts';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const configurationsAnswer = answer(remoteConfigurations.list, () => [configuration()]);
const stored = answer(remoteConfigurations.read, () => configuration());

const open = async (...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  const view = visit('/remote-config-page', ...answers);
  await screen.findByRole('heading', { name: 'Remote Configurations' });
  return view;
};

test('a new configuration is validated before it is sent', async () => {
  const { calls } = await open(answer(remoteConfigurations.list, () => []));
  await userEvent.click(await screen.findByRole('button', { name: 'Create configuration' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByLabelText(/Base URL/), 'pacs.example.org');

  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Sign-in' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Username and password' }));

  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));

  expect(within(dialog).getByText('AE Title is required')).toBeDefined();
  expect(within(dialog).getByText('Please enter a valid URL')).toBeDefined();
  expect(within(dialog).getByText('Username is required')).toBeDefined();
  expect(within(dialog).getByText('Password is required')).toBeDefined();
  expect(document.activeElement).toBe(within(dialog).getByLabelText(/AE title/));
  expect(sentBy(calls, 'POST')).toEqual([]);
});

test('the first field of a configuration gets the focus even when the configuration loads late', async () => {
  const { promise: late, resolve: come } = Promise.withResolvers<ReturnType<typeof configuration>>();
  await open(
    configurationsAnswer,
    answer(remoteConfigurations.read, () => late),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Edit NORTH_PACS' }));
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Close' })));

  come(configuration());

  const first = await dialog.findByLabelText(/AE title/);
  expect(document.activeElement).toBe(first);
});

test('a stored configuration can be edited without its password, which stays unchanged', async () => {
  const { calls } = await open(
    configurationsAnswer,
    stored,
    answer(remoteConfigurations.replace, () => configuration({ aeTitle: 'SOUTH' })),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Edit NORTH_PACS' }));
  const dialog = await screen.findByRole('dialog');
  const title = await within(dialog).findByLabelText(/AE title/);
  expect(within(dialog).getByText(/Leave empty to keep the stored value/)).toBeDefined();
  expect(within(dialog).getByLabelText(/^Password/)).toHaveProperty('value', '');

  await userEvent.clear(title);
  await userEvent.type(title, 'SOUTH');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Configuration saved')).toBeDefined();
  expect(sentBy(calls, 'PUT')[0]?.body).toMatchObject({
    aeTitle: 'SOUTH',
    password: '',
    username: 'radwork',
    revision: 3,
  });
});

test('an error found by the server appears at its field', async () => {
  const errors = [{ field: 'aeTitle', message: 'Configuration already exists' }];
  await open(
    configurationsAnswer,
    stored,
    refuse(remoteConfigurations.replace, 409, 'Configuration already exists', { errors }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Edit NORTH_PACS' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByLabelText(/AE title/);

  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));

  expect(await within(dialog).findByText('Configuration already exists')).toBeDefined();
});

test('an answer without a message shows the message of its status, and the form keeps its values', async () => {
  const wordless = {
    ...refuse(remoteConfigurations.replace, 409, ''),
    reply: () => new Response('<html>', { status: 409 }),
  };
  await open(configurationsAnswer, stored, wordless);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit NORTH_PACS' }));
  const dialog = await screen.findByRole('dialog');
  const title = await within(dialog).findByLabelText(/AE title/);
  await userEvent.clear(title);
  await userEvent.type(title, 'SOUTH');

  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));

  expect(await within(dialog).findByText('Configuration already exists')).toBeDefined();
  expect(title).toHaveProperty('value', 'SOUTH');
});

test('a configuration is tested before saving, and a failed test shows the reason', async () => {
  const message = 'The name of the host is not known. Check its spelling.';
  const { calls } = await open(
    configurationsAnswer,
    stored,
    answer(remoteConfigurations.testUnsaved, () => failed(message)),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Edit NORTH_PACS' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByLabelText(/AE title/);

  await userEvent.click(within(dialog).getByRole('button', { name: 'Test connection' }));

  expect(await within(dialog).findByText(message)).toBeDefined();
  expect(sentBy(calls, 'POST')[0]?.body).toMatchObject({ id: 'c1', baseUrl: 'https://pacs.example.org/dicom-web' });
  await userEvent.type(within(dialog).getByLabelText(/Base URL/), '2');
  expect(within(dialog).queryByText(message)).toBeNull();
});

test('values typed for another protocol are not stored with a DIMSE configuration', async () => {
  const { calls } = await open(
    configurationsAnswer,
    stored,
    answer(remoteConfigurations.replace, () => configuration()),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Edit NORTH_PACS' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(await within(dialog).findByRole('combobox', { name: 'Protocol' }));
  await userEvent.click(await screen.findByRole('option', { name: 'DIMSE' }));
  const address = within(dialog).getByLabelText(/Base URL/);
  await userEvent.clear(address);
  await userEvent.type(address, 'dicom://PACS@pacs.lan:104');
  await userEvent.type(within(dialog).getByLabelText('Issuer of patient IDs'), 'NORTH');

  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Configuration saved')).toBeDefined();
  expect(sentBy(calls, 'PUT')[0]?.body).toMatchObject({
    protocol: 'DIMSE',
    authType: 'NONE',
    username: '',
    issuer: 'NORTH',
  });
});

test('a saved configuration can be tested in its row', async () => {
  await open(
    configurationsAnswer,
    answer(remoteConfigurations.test, () => works),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Show connection test' }));

  await userEvent.click(await screen.findByRole('button', { name: 'Test connection' }));

  expect(await screen.findByText('Orthanc answered in 12 ms')).toBeDefined();
});

test('deleting a configuration asks first and names the configuration', async () => {
  const { calls } = await open(
    configurationsAnswer,
    answer(remoteConfigurations.remove, () => undefined),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Delete NORTH_PACS' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('NORTH_PACS');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete configuration' }));

  expect(await screen.findByText('Configuration deleted')).toBeDefined();
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(true);
});

test('an application entity is created with its permissions', async () => {
  const device = {
    calledAeTitle: 'RADWORK',
    callingAeTitle: 'CT2',
    host: '',
    port: 11112,
    description: '',
    issuer: 'NORTH',
    mayStore: true,
    mayReadWorklist: true,
    mayQuery: false,
    mayAskFromAnywhere: true,
    groupId: null,
    isActive: true,
  };
  const { calls } = await open(
    configurationsAnswer,
    answer(applicationEntities.list, () => ({ port: null, areCertificatesNeeded: false, entities: [] })),
    answer(applicationEntities.create, () => ({ ...device, id: 'd1', revision: 1, lastSeenDate: null })),
  );
  await userEvent.click(await screen.findByRole('tab', { name: 'DICOM devices' }));
  expect(await screen.findByText(/turn this on with the setting DIMSE_PORT/)).toBeDefined();

  await userEvent.click(await screen.findByRole('button', { name: 'Create device' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByLabelText(/AE title of the device/), 'CT2');
  await userEvent.type(within(dialog).getByLabelText(/Called AE title/), 'RADWORK');
  await userEvent.type(within(dialog).getByLabelText('Port'), '11112');
  await userEvent.type(within(dialog).getByLabelText('Issuer of patient IDs'), 'NORTH');
  expect(within(dialog).queryByLabelText('Read from any address')).toBeNull();
  await userEvent.click(within(dialog).getByLabelText('Read the worklist'));
  await userEvent.click(within(dialog).getByLabelText('Read from any address'));
  expect(within(dialog).getByText(/Any computer in the network .* can read patient names/)).toBeDefined();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Device saved')).toBeDefined();
  expect(sentBy(calls, 'POST')[0]?.body).toEqual(device);
});

test('the list shows which application entities can query patient names from any address', async () => {
  const device = { calledAeTitle: 'RADWORK', port: null, description: '', issuer: '', mayStore: true, isActive: true };
  const more = { revision: 1, lastSeenDate: null, groupId: null };
  const entities = [
    { ...device, ...more, id: 'd1', callingAeTitle: 'OPEN', host: '', mayQuery: true, mayReadWorklist: false },
    { ...device, ...more, id: 'd2', callingAeTitle: 'BOUND', host: '192.0.2.7', mayQuery: true, mayReadWorklist: true },
    { ...device, ...more, id: 'd3', callingAeTitle: 'SENDS', host: '', mayQuery: false, mayReadWorklist: false },
  ].map((one) => ({ ...one, mayAskFromAnywhere: one.id === 'd1' }));
  await open(
    configurationsAnswer,
    answer(applicationEntities.list, () => ({ port: 104, areCertificatesNeeded: false, entities })),
  );

  await userEvent.click(await screen.findByRole('tab', { name: 'DICOM devices' }));

  const rowOf = async (title: string) => (await screen.findByText(title)).closest('tr')?.textContent;
  expect(await rowOf('OPEN')).toContain('Any address');
  expect(await rowOf('BOUND')).toContain('192.0.2.7');
  expect(await rowOf('SENDS')).not.toContain('Any address');
});
