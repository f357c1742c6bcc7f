import { type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, bodiesOf, refuse, signIn, visit } from '#test/screen.tsx';

const tenant = (more: Partial<Tenant> = {}): Tenant => ({
  id: '0193d4a0-0000-7000-8000-00000000000a',
  name: 'South Clinic',
  subdomain: 'south',
  timeZone: 'Europe/Berlin',
  locale: 'de-DE',
  storageQuotaBytes: 2 * 2 ** 30,
  isActive: true,
  suspendedAt: null,
  suspendedReason: '',
  createdAt: '2026-11-01T09:12:00Z',
  storedBytes: 2 ** 30,
  activeUsers: 12,
  superAdministrators: 0,
  isHome: false,
  isUsed: true,
  revision: 4,
  ...more,
});

const home = tenant({
  id: '0193d4a0-0000-7000-8000-00000000000b',
  name: 'North Clinic',
  subdomain: 'north',
  isHome: true,
  superAdministrators: 2,
});

const pageOf = (content: Tenant[]) => ({
  content,
  totalElements: content.length,
  totalPages: 1,
  number: 0,
  size: 25,
});

const tenantsAnswer = answer(tenants.list, () => pageOf([home, tenant()]));

const open = async (...answers: Parameters<typeof visit>[1][]) => {
  signIn('SUPER_ADMIN');
  const view = visit('/tenants', ...answers, tenantsAnswer);
  await screen.findByText('South Clinic');
  return view;
};

test("the list of organizations shows user counts, storage and the user's own organization", async () => {
  await open();

  const own = within(screen.getByRole('row', { name: /North Clinic/ }));
  const other = within(screen.getByRole('row', { name: /South Clinic/ }));
  expect(own.getByText(/yours/)).toBeDefined();
  expect(own.getByText('2')).toBeDefined();
  expect(other.getByText('1.00 GB of 2.00 GB')).toBeDefined();
  expect(own.queryByRole('button', { name: /Suspend/ })).toBeNull();
  expect(other.getByRole('button', { name: 'Suspend South Clinic' })).toBeDefined();
});

test('the address of the list of organizations contains the filters', async () => {
  signIn('SUPER_ADMIN');
  const { calls, address } = visit('/tenants?query=south&status=SUSPENDED', tenantsAnswer);
  await screen.findByText('South Clinic');

  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Active');

  await waitFor(() => expect(address()).toContain('status=ACTIVE'));
  const searches = calls.filter(({ url }) => url.pathname === '/api/tenants').map(({ url }) => url.searchParams);
  const statuses = searches.map((search) => search.get('status'));
  expect(statuses).toEqual(expect.arrayContaining(['SUSPENDED', 'ACTIVE']));
  expect(searches.every((search) => search.get('query') === 'south')).toBe(true);
});

test('a new organization is checked before sending, and the link for its administrator is shown once', async () => {
  const { calls } = await open(
    answer(tenants.create, () => ({
      tenant: tenant({ name: 'West Clinic' }),
      invitation: { username: 'first', sentTo: null, link: '/set-password#TOKEN' },
    })),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Create organization' }));
  const drawer = within(await screen.findByRole('dialog'));

  await userEvent.click(drawer.getByRole('button', { name: 'Create organization' }));
  expect(drawer.getByText('Subdomain is required')).toBeDefined();
  expect(drawer.getByText('Please enter a valid email address')).toBeDefined();
  expect(bodiesOf(calls, tenants.create)).toEqual([]);

  await userEvent.type(drawer.getByLabelText(/^Name/), 'West Clinic');
  await userEvent.type(drawer.getByLabelText(/^Subdomain/), 'west');
  await userEvent.type(drawer.getByLabelText(/^Storage limit/), '2');
  await userEvent.type(drawer.getByLabelText(/^Username/), 'first');
  await userEvent.type(drawer.getByLabelText(/^Full name/), 'Nora First');
  await userEvent.type(drawer.getByLabelText(/^E-mail/), 'nora@example.org');
  await userEvent.click(drawer.getByRole('button', { name: 'Create organization' }));

  expect(await drawer.findByDisplayValue(`${window.location.origin}/set-password#TOKEN`)).toBeDefined();
  expect(bodiesOf(calls, tenants.create)[0]).toMatchObject({
    name: 'West Clinic',
    subdomain: 'west',
    storageQuotaBytes: 2 * 2 ** 30,
    administrator: { username: 'first', name: 'Nora First', email: 'nora@example.org' },
  });
});

test("if e-mail is set up, the screen shows only the address to which the administrator's link was sent", async () => {
  await open(
    answer(tenants.create, () => ({
      tenant: tenant({ name: 'West Clinic' }),
      invitation: { username: 'first', sentTo: 'nora@example.org', link: null },
    })),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Create organization' }));
  const drawer = within(await screen.findByRole('dialog'));
  await userEvent.type(drawer.getByLabelText(/^Name/), 'West Clinic');
  await userEvent.type(drawer.getByLabelText(/^Subdomain/), 'west');
  await userEvent.type(drawer.getByLabelText(/^Username/), 'first');
  await userEvent.type(drawer.getByLabelText(/^Full name/), 'Nora First');
  await userEvent.type(drawer.getByLabelText(/^E-mail/), 'nora@example.org');
  await userEvent.click(drawer.getByRole('button', { name: 'Create organization' }));

  expect(await drawer.findByText(/A link was sent to nora@example.org/)).toBeDefined();
  expect(drawer.queryByRole('textbox', { name: 'Link' })).toBeNull();
});

test('a server error about an organization appears at its field', async () => {
  await open(
    refuse(tenants.update, 422, 'Name is taken', { errors: [{ field: 'name', message: 'Choose another name' }] }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Edit South Clinic' }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(drawer.getByLabelText(/^Subdomain/)).toHaveProperty('disabled', true);

  await userEvent.click(drawer.getByRole('button', { name: 'Save' }));

  expect(await drawer.findByText('Choose another name')).toBeDefined();
});

test('suspending an organization requires a reason and explains the effect; resuming does neither', async () => {
  const { calls } = await open(answer(tenants.setStatus, () => tenant({ isActive: false })));
  await userEvent.click(screen.getByRole('button', { name: 'Suspend South Clinic' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/12 active users are signed out now/)).toBeDefined();

  await userEvent.click(dialog.getByRole('button', { name: 'Suspend' }));
  expect(dialog.getByText('Reason is required')).toBeDefined();
  expect(bodiesOf(calls, tenants.setStatus)).toEqual([]);

  await userEvent.type(dialog.getByLabelText(/^Reason/), 'Contract ended');
  await userEvent.click(dialog.getByRole('button', { name: 'Suspend' }));

  await waitFor(() =>
    expect(bodiesOf(calls, tenants.setStatus)[0]).toEqual({ active: false, reason: 'Contract ended' }),
  );
});

test('a list of organizations that fails to load shows a message and a retry button', async () => {
  signIn('SUPER_ADMIN');
  visit('/tenants', refuse(tenants.list, 500, 'Server error occurred'));

  expect(await screen.findByText('Failed to load organizations')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
