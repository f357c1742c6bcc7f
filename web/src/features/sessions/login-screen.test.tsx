import { sessions } from '@radwork/contract/sessions';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { readSession } from '#core/session.ts';
import { answer, refuse, sessionOf, signIn, visit } from '#test/screen.tsx';

const session = sessionOf();
const accepts = [answer(sessions.login, () => session), answer(sessions.validate, () => session)];

const fillIn = async (values: { organisation?: string; username?: string; password?: string }) => {
  const { organisation = '', username = '', password = '' } = values;
  await screen.findByRole('heading', { name: 'Sign in' });
  if (organisation) await userEvent.type(screen.getByLabelText('Organisation (optional)'), organisation);
  if (username) await userEvent.type(screen.getByLabelText('Username'), username);
  if (password) await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
};

test('the right password stores the session and opens the dashboard', async () => {
  const { calls, address } = visit('/login', ...accepts);

  await fillIn({ username: 'm.haddad', password: 'correct horse' });

  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(calls.find(({ url }) => url.pathname === '/api/auth/login')?.body).toEqual({
    username: 'm.haddad',
    password: 'correct horse',
  });
  expect(localStorage.getItem('token')).toBe(session.token);
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(session.user);
  expect(JSON.parse(localStorage.getItem('tenant') ?? '')).toEqual(session.tenant);
});

test('signing in leads back to the page that was asked for', async () => {
  const { address } = visit('/reports?reportId=7', ...accepts);

  await fillIn({ username: 'm.haddad', password: 'correct horse' });

  await waitFor(() => expect(address()).toBe('/reports?reportId=7'));
});

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'reports', 'javascript:alert(1)'])(
  'signing in never leads to %s',
  async (redirect) => {
    const { address } = visit(`/login?redirect=${encodeURIComponent(redirect)}`, ...accepts);

    await fillIn({ username: 'm.haddad', password: 'correct horse' });

    await waitFor(() => expect(address()).toBe('/dashboard'));
  },
);

test('the organisation that is named goes along', async () => {
  const { calls, address } = visit('/login', ...accepts);

  await fillIn({ organisation: ' North ', username: 'm.haddad', password: 'correct horse' });

  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(calls.find(({ url }) => url.pathname === '/api/auth/login')?.headers.get('x-tenantid')).toBe('north');
});

test('coming here signs out', async () => {
  signIn();

  visit('/login');

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
  expect(readSession()).toBeUndefined();
  expect(localStorage.getItem('user')).toBeNull();
});

test('a wrong password is said in place, and the name stays', async () => {
  visit('/login', refuse(sessions.login, 401, 'Invalid username or password'));

  await fillIn({ username: 'm.haddad', password: 'wrong' });

  expect((await screen.findByRole('alert')).textContent).toBe('Invalid username or password');
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'm.haddad');
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
});

test('too many attempts say when the next one counts', async () => {
  const message = 'Too many wrong passwords. Try again in 2 minutes.';
  visit('/login', refuse(sessions.login, 429, message, { headers: { 'retry-after': '120' } }));

  await fillIn({ username: 'm.haddad', password: 'wrong' });

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(
    /^Too many wrong passwords. Try again in 2 minutes.You can try again at \d\d:\d\d\.$/,
  );
});

test('an empty form is not sent', async () => {
  const { calls } = visit('/login', ...accepts);

  await fillIn({});

  expect(await screen.findByText('Username is required')).toBeDefined();
  expect(screen.getByText('Password is required')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname === '/api/auth/login')).toBe(false);
});

test('the start page leads to sign in and shows nothing of anybody', async () => {
  const { calls, address } = visit('/home');

  await userEvent.click(await screen.findByRole('link', { name: 'Sign in' }));

  await waitFor(() => expect(address()).toBe('/login'));
  expect(calls.every(({ url }) => url.pathname === '/api/about')).toBe(true);
});
