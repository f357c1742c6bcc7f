import { sessions } from '@radwork/contract/identity/sessions';
import { type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { requestHeaders } from '#core/http/api.ts';
import { clearSession, saveSession, readHome, readSession } from '#core/state/session.ts';
import { goToTenant } from '#core/state/tenant-visit.ts';
import { answer, sessionOf, signIn, visit } from '#test/screen.tsx';

// The visited organization is set before the imports, because it is read only once, at load.
vi.hoisted(() =>
  sessionStorage.setItem(
    'visit',
    JSON.stringify({ userId: 'u1', tenant: { name: 'South Clinic', subdomain: 'south' } }),
  ),
);

afterEach(() => localStorage.clear());

test('during a visit, each page shows organization and user, and each call names the organization', async () => {
  const session = signIn('SUPER_ADMIN');

  visit(
    '/guidelines',
    answer(sessions.validate, () => session),
  );

  const banner = await screen.findByRole('region', { name: 'Visited organization' });
  expect(banner.textContent).toContain('You are visiting South Clinic, not your own organization');
  expect(banner.textContent).toContain('The audit log records your actions as Mona Haddad');
  expect(screen.getByRole('button', { name: 'Return to North Clinic' })).toBeDefined();
  expect(requestHeaders()).toMatchObject({ 'x-tenantid': 'south' });
  expect(readHome()).toEqual({ name: 'North Clinic', subdomain: 'north' });
});

test('the visit to an organization ends when another user signs in, even a super administrator', async () => {
  signIn('ADMIN');
  expect(readSession()?.tenant.subdomain).toBe('north');

  const other = sessionOf('SUPER_ADMIN');
  saveSession({ ...other, user: { ...other.user, id: 'u2' } });

  expect(requestHeaders()).toMatchObject({ 'x-tenantid': 'north' });
  expect(readHome()).toBeUndefined();
});

test('a page that switches to another organization works in the former one until it reloads', () => {
  const session = signIn('SUPER_ADMIN');
  const before = sessionStorage.getItem('visit');

  goToTenant(session, { name: 'West Clinic', subdomain: 'west' });
  expect(sessionStorage.getItem('visit')).toBe(before);
  expect(readSession()?.tenant.subdomain).toBe('south');
  window.dispatchEvent(new Event('pagehide'));

  expect(sessionStorage.getItem('visit')).toContain('west');
  expect(readSession()?.tenant.subdomain).toBe('south');
  goToTenant(session, undefined);
  window.dispatchEvent(new Event('pagehide'));
  expect(sessionStorage.getItem('visit')).toBeNull();
});

const tenant = (name: string, subdomain: string): Tenant => ({
  id: subdomain,
  name,
  subdomain,
  timeZone: 'UTC',
  locale: 'en-GB',
  storageQuotaBytes: null,
  isActive: true,
  suspendedAt: null,
  suspendedReason: '',
  createdAt: '2026-11-01T09:12:00Z',
  storedBytes: 0,
  activeUsers: 1,
  superAdministrators: 0,
  isHome: subdomain === 'north',
  isUsed: true,
  revision: 1,
});

test('an organization is found by typing and chosen with the keyboard', async () => {
  const session = signIn('SUPER_ADMIN');
  const { calls } = visit(
    '/guidelines',
    answer(sessions.validate, () => session),
    answer(tenants.list, ({ url }) => {
      const words = url.searchParams.get('query') ?? '';
      const content = [tenant('North Clinic', 'north'), tenant('West Clinic', 'west')].filter(({ subdomain }) =>
        subdomain.includes(words),
      );
      return { content, totalElements: content.length, totalPages: 1, number: 0, size: 25 };
    }),
  );
  const [field] = await screen.findAllByLabelText('Current organization');
  if (!field) throw new Error('There is no switch');

  await userEvent.click(field);
  await userEvent.type(field, 'west');
  await waitFor(() =>
    expect(
      within(screen.getByRole('listbox'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['West Clinic west']),
  );
  await userEvent.keyboard('{ArrowDown}{Enter}');

  // A browser would leave the page now. In jsdom, the page stays.
  await waitFor(() => expect(calls.filter(({ url }) => url.searchParams.get('size') === '200')).toHaveLength(1));
  expect(readSession()?.tenant.subdomain).toBe('south');
});

test('pressing Enter before the answer arrives does not choose a result for an earlier text', async () => {
  signIn('SUPER_ADMIN');
  const all = [tenant('East Clinic', 'east'), tenant('West Clinic', 'west')];
  visit(
    '/guidelines',
    answer(tenants.list, ({ url }) => {
      const words = url.searchParams.get('query') ?? '';
      const content = all.filter(({ name }) => name.toLowerCase().includes(words));
      return { content, totalElements: content.length, totalPages: 1, number: 0, size: 25 };
    }),
  );
  const field = await screen.findByRole('textbox', { name: 'Current organization' });
  await userEvent.click(field);
  await screen.findByRole('option', { name: /^East Clinic/ });

  await userEvent.keyboard('west');

  expect(screen.queryByRole('option', { name: /^East Clinic/ })).toBeNull();
  expect(screen.getByRole('option', { name: /^West Clinic/ })).toBeDefined();
});

test('a user who is not a super administrator cannot switch the organization', async () => {
  signIn('ADMIN');

  visit('/guidelines');
  await screen.findByRole('heading', { name: 'Guidelines Management' });

  expect(screen.queryByLabelText('Current organization')).toBeNull();
});

test('signing out ends the visit, and the next user starts in their own organization', () => {
  signIn('SUPER_ADMIN');

  clearSession();
  signIn('SUPER_ADMIN');

  expect(readSession()?.tenant.subdomain).toBe('north');
});
