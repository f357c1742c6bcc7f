import { pageOf } from '@radwork/contract/core/paging';
import { patients } from '@radwork/contract/imaging/patients';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sessions } from '@radwork/contract/identity/sessions';
import { createMemoryHistory } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { clearSession, saveSession, readSession } from '#core/state/session.ts';
import { productName } from '#core/browser/product.ts';
import { holdReadingLock } from '#reading/reports/locks/hold-reading-lock.ts';
import { answer, refuse, sessionOf, signIn, visit } from '#test/screen.tsx';
import { places } from './route-names.ts';
import { createAppRouter } from './router.tsx';

const router = createAppRouter(createMemoryHistory());
const routeAt = (path: string) => router.getMatchedRoutes(path)[2];

const protectedPaths = [
  '/viewer',
  '/viewer/1',
  '/petct',
  '/petct/1',
  '/mpr/1',
  '/mpr/1/2',
  '/usviewer',
  '/usviewer/1',
  '/dashboard',
  '/notifications',
  '/patients',
  '/patients/create',
  '/patients/1',
  '/patients/1/edit',
  '/stydys-search',
  '/queue-jobs',
  '/remote-config-page',
  '/studies',
  '/studies/1',
  '/studies/create',
  '/studies/1/edit',
  '/reports',
  '/templates',
  '/atlas',
  '/guidelines',
  '/audit',
  '/roles',
  '/tenants',
  '/users',
  '/users/1',
];

test.each(protectedPaths)('the route %s exists and needs a session', (path) => {
  const route = routeAt(path);

  expect(route?.options.staticData?.can).not.toBe('public');
  expect(route?.id).toMatch(/^\/signed-in\//);
});

test.each(['/login', '/home', '/portal/report/abc', '/pages', '/pages/404', '/pages/403'])(
  'the route %s exists and is public',
  (path) => {
    expect(routeAt(path)?.options.staticData?.can).toBe('public');
  },
);

test('"create" in an address is never read as an ID', () => {
  expect(routeAt('/studies/create')?.fullPath).toBe('/studies/create');
  expect(routeAt('/patients/create')?.fullPath).toBe('/patients/create');
});

test.each([
  [places.home(), '/home'],
  [places.viewer('7'), '/viewer/7'],
  [places.viewer(), '/viewer'],
  [places.usviewer('7'), '/usviewer/7'],
  [places.mpr('7', '1.2'), '/mpr/7/1.2'],
  [places.petct('7', '1.2'), '/petct/7?fusion=1.2'],
  [places.studies('7'), '/studies?studyId=7'],
  [places['patient-detail']('7'), '/patients/7'],
  [places.reports('7'), '/reports?reportId=7'],
  [places.Users('7'), '/users/7'],
  [places.StudyDetails('7'), '/studies/7'],
  [places.StudyEdit('7'), '/studies/7/edit'],
  [places.StudyCreate(), '/studies/create'],
  [places.PatientList(), '/patients'],
  [places.PatientDetails('7'), '/patients/7'],
  [places.CreatePatient(), '/patients/create'],
  [places.EditPatient('7'), '/patients/7/edit'],
])('the route $to has the address %s', (place, address) => {
  expect(router.buildLocation(place).href).toBe(address);
});

test('a protected page without a session opens the sign-in page, and opens after sign-in', async () => {
  const { address } = visit('/reports?reportId=7');

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
  expect(address()).toBe('/login?redirect=%2Freports%3FreportId%3D7');
});

test('a session that the server refuses is deleted in the browser', async () => {
  signIn();

  const { address } = visit('/guidelines', refuse(sessions.validate, 401, 'Authentication required'));

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
  expect(address()).toBe('/login?redirect=%2Fguidelines');
  expect(localStorage.getItem('token')).toBeNull();
});

test('a server that cannot be reached does not sign the user out', async () => {
  signIn();

  visit('/guidelines', refuse(sessions.validate, 503, 'The database cannot be reached. Try again in a moment.'));

  expect(await screen.findByText('The database cannot be reached. Try again in a moment.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
  expect(screen.getByText('trace-1')).toBeDefined();
  expect(readSession()).toBeDefined();
});

test('a page load checks the session at the server once', async () => {
  signIn('ADMIN');
  const { calls } = visit(
    '/guidelines',
    answer(patients.list, () => ({ ...pageOf([], 0, { page: 0, size: 10 }), isTotalExact: true })),
  );
  await screen.findByRole('heading', { name: 'Guidelines Management' });

  await userEvent.click(screen.getByRole('link', { name: 'Patients' }));
  await screen.findByRole('heading', { name: 'Patient Management' });

  expect(calls.filter(({ url }) => url.pathname === '/api/auth/validate')).toHaveLength(1);
});

test('the start page redirects to the dashboard, and an old address to the remote search', async () => {
  signIn();

  const { router: app, address } = visit(
    '/',
    answer(remoteConfigurations.list, () => []),
  );
  await waitFor(() => expect(address()).toBe('/dashboard'));
  await app.navigate({ to: '/studies-search' });

  expect(address()).toBe('/stydys-search');
  await screen.findByText('No archives configured');
});

test('an unknown address shows a message and a link back', async () => {
  visit('/no/such/page');

  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open start page' })).toBeDefined();
});

test('a page without permission shows "Access denied" inside the frame', async () => {
  signIn('REFERRING_PHYSICIAN');

  visit('/audit');

  expect(await screen.findByRole('heading', { name: 'Access denied' })).toBeDefined();
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeDefined();
});

test('signing out in one tab signs out the other tabs', async () => {
  signIn();
  const { address } = visit('/guidelines');
  await screen.findByRole('heading', { name: 'Guidelines Management' });

  for (const name of ['token', 'user', 'tenant', 'roles']) localStorage.removeItem(name);
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }));

  await waitFor(() => expect(address()).toBe('/login?redirect=%2Fguidelines'));
});

test('an open sign-in page does not end a session that begins in another tab', async () => {
  const session = sessionOf();
  const { address } = visit(
    '/login',
    answer(sessions.validate, () => session),
  );
  await screen.findByRole('heading', { name: 'Sign in' });

  saveSession(session);

  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(readSession()).toBeDefined();
});

test('signing out calls the server and opens the sign-in page', async () => {
  signIn();
  const { calls, address } = visit('/guidelines', {
    method: 'POST',
    path: /logout/,
    reply: () => Response.json({ code: 200 }),
  });

  await userEvent.click(await screen.findByRole('button', { name: /Account of Mona Haddad/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));

  await waitFor(() => expect(address()).toBe('/login'));
  expect(calls.some(({ url }) => url.pathname === '/api/auth/logout')).toBe(true);
  expect(readSession()).toBeUndefined();
  // While the page closes, it must not request the unread notifications again without a session.
  const asNobody = calls.filter(({ headers }) => !headers.has('authorization')).map(({ url }) => url.pathname);
  expect(asNobody).not.toContain('/api/notifications');
});

test('signing out releases the reading lock before the session ends', async () => {
  signIn();
  const { calls, address } = visit('/guidelines', {
    method: 'POST',
    path: /logout/,
    reply: () => Response.json({ code: 200 }),
  });
  const lock = '/api/studies/s1/reading-lock';
  holdReadingLock('s1', { isAnother: false, onChange: () => {} });
  await waitFor(() => expect(calls.some(({ url }) => url.pathname === lock)).toBe(true));

  await userEvent.click(await screen.findByRole('button', { name: /Account of Mona Haddad/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));

  await waitFor(() => expect(address()).toBe('/login'));
  const sent = calls.filter(({ url }) => url.pathname === lock || url.pathname === '/api/auth/logout');
  expect(sent.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    `PUT ${lock}`,
    `DELETE ${lock}`,
    'POST /api/auth/logout',
  ]);
});

test('the title of the tab names the screen', async () => {
  signIn();

  visit('/guidelines');

  await waitFor(() => expect(document.title).toBe(`Guidelines Management · ${productName}`));
});

test('the page has a title before its script runs', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../index.html'), 'utf8');

  expect(page).toContain(`<title>${productName}</title>`);
});

test('signing out deletes fetched data from memory', async () => {
  signIn();
  const { client } = visit('/guidelines');
  await screen.findByRole('heading', { name: 'Guidelines Management' });
  client.setQueryData(['studies'], 'rows of a patient');

  clearSession();

  expect(client.getQueryData(['studies'])).toBeUndefined();
});
