import { sessions } from '@radwork/contract/identity/sessions';
import { singleSignOn, type SingleSignOnSettings } from '@radwork/contract/identity/single-sign-on';
import { ssoFailures } from '@radwork/contract/identity/single-sign-on-failures';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { readSession } from '#core/state/session.ts';
import { answer, refuse, sessionOf, signIn, visit } from '#test/screen.tsx';

const session = sessionOf();
const north = { isOn: true, subdomain: 'north', label: 'North account' };

const stored: SingleSignOnSettings = {
  revision: 3,
  isOn: true,
  label: 'North account',
  issuer: 'https://login.north.example',
  clientId: 'radwork',
  hasClientSecret: true,
  scopes: 'openid profile email',
  usernameClaim: 'preferred_username',
  nameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: 'groups',
  rules: [{ value: 'readers', userType: 'RADIOLOGIST', roleIds: [] }],
  isAdminByClaim: false,
  fallbackType: null,
  isEnrolling: true,
  isPasswordAllowed: true,
  requiredAcr: '',
  requiredAmr: '',
  redirectAddress: 'https://radwork.north.example/api/auth/sso/callback',
  roles: [],
};

const arrival = {
  id: 'a1',
  issuer: stored.issuer,
  subject: '4711',
  username: 'ada',
  name: 'Ada Byron',
  email: 'ada@north.example',
  isNameTaken: true,
  lastAt: '2026-11-22T09:12:00Z',
};

const open = async (...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  const view = visit(
    '/single-sign-on',
    ...answers,
    answer(singleSignOn.read, () => stored),
    answer(singleSignOn.arrivals, () => [arrival]),
    answer(singleSignOn.identities, () => []),
  );
  await screen.findByRole('heading', { name: 'Provider' });
  return view;
};

test("the sign-in page offers the organization's provider and keeps the requested page", async () => {
  visit(
    '/login?organization=north&redirect=%2Fstudies',
    answer(singleSignOn.offer, ({ url }) =>
      url.searchParams.get('organization') === 'north' ? north : { isOn: false, subdomain: '', label: '' },
    ),
  );

  const link = await screen.findByRole('link', { name: 'Sign in with North account' });
  expect(link.getAttribute('href')).toBe('/api/auth/sso/north/start?redirect=%2Fstudies');
});

test('a sign-in ticket in the address becomes a session and is removed from the address', async () => {
  const { calls, address } = visit(
    '/login?redirect=%2Freports#sso=north.ticket',
    answer(singleSignOn.exchange, () => session),
    answer(sessions.validate, () => session),
  );

  await waitFor(() => expect(address()).toBe('/reports'));
  expect(readSession()?.token).toBe(session.token);
  const exchanges = calls.filter(({ url }) => url.pathname === '/api/auth/sso/exchange');
  expect(exchanges.map(({ body }) => body)).toEqual([{ ticket: 'north.ticket' }]);
});

test('a failure code of single sign-on shows its message', async () => {
  const { address } = visit('/login#sso-failure=not_linked');

  expect((await screen.findByRole('alert')).textContent).toBe(ssoFailures.not_linked());
  await waitFor(() => expect(address()).toBe('/login'));
});

test('a refused sign-in ticket shows the reason', async () => {
  visit('/login#sso=x', refuse(singleSignOn.exchange, 401, ssoFailures.used()));

  expect((await screen.findByRole('alert')).textContent).toBe(ssoFailures.used());
});

test('a confirmed identity is reported, and the ticket is removed from the address', async () => {
  signIn();
  const { calls, address } = visit(
    '/signed-in-again#sso=north.ticket',
    answer(singleSignOn.confirm, () => {}),
  );

  expect(await screen.findByRole('heading', { name: 'Identity confirmed' })).toBeDefined();
  expect(address()).toBe('/signed-in-again');
  const confirmed = calls.filter(({ url }) => url.pathname === '/api/auth/sso/confirm');
  expect(confirmed.map(({ body }) => body)).toEqual([{ ticket: 'north.ticket' }]);
});

test('a failed confirmation of the identity shows the reason and keeps the session', async () => {
  signIn();
  visit('/signed-in-again#sso-failure=not_again');

  expect((await screen.findByRole('alert')).textContent).toBe(ssoFailures.not_again());
  expect(readSession()).toBeDefined();
});

test('a test of the provider uses the typed values, and its result disappears when they change', async () => {
  const { calls } = await open(
    answer(singleSignOn.test, () => ({
      isOk: false,
      milliseconds: 12,
      server: '',
      cause: 'WRONG_SERVICE' as const,
      message: 'The provider was found but rejected this client. Check the client ID and client secret.',
    })),
  );
  await userEvent.type(screen.getByLabelText('Client secret'), 'wrong');

  await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));

  expect(await screen.findByText(/rejected this client/)).toBeDefined();
  expect(calls.at(-1)?.body).toEqual({ issuer: stored.issuer, clientId: 'radwork', clientSecret: 'wrong' });
  await userEvent.type(screen.getByLabelText('Client secret'), '2');
  expect(screen.queryByText(/rejected this client/)).toBeNull();
});

test('the single sign-on settings are saved with the loaded revision, and the secret is not shown', async () => {
  const { calls } = await open(answer(singleSignOn.save, () => ({ ...stored, revision: 4 })));
  expect(screen.getByLabelText('Client secret')).toHaveProperty('value', '');

  await userEvent.type(screen.getByLabelText('Label'), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  await screen.findByText('Single sign-on saved');
  const [save] = calls.filter(({ method }) => method === 'PUT');
  expect(save?.body).toMatchObject({ label: 'North account!', revision: 3, clientSecret: '', rules: stored.rules });
});

test('after a conflict in the settings, typed values stay and the saved settings can be loaded', async () => {
  await open(refuse(singleSignOn.save, 409, 'Another user changed the settings.'));

  await userEvent.type(screen.getByLabelText('Label'), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByRole('button', { name: 'Reload settings' })).toBeDefined();
  expect(screen.getByLabelText('Label')).toHaveProperty('value', 'North account!');
});

test('an administrator connects an unknown single sign-on account with a user', async () => {
  const { calls } = await open(
    answer(singleSignOn.link, () => ({
      ...arrival,
      linkedBy: 'Mona Haddad',
      createdAt: arrival.lastAt,
      lastUsedAt: null,
    })),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Connect Ada Byron' }));
  expect(await screen.findByLabelText('Username in this organization')).toHaveProperty('value', 'ada');
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }));

  await screen.findByText('Connected', { selector: '[class*=otification] *' });
  expect(calls.find(({ url }) => url.pathname.endsWith('/a1/link'))?.body).toEqual({ username: 'ada' });
});
