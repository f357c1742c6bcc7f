import { passwordLinks } from '@radwork/contract/identity/accounts';
import { sessionEnds, sessions } from '@radwork/contract/identity/sessions';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { readSession } from '#core/state/session.ts';
import { answer, refuse, type SentRequest, sessionOf, signIn, visit } from '#test/screen.tsx';

const session = sessionOf();
const accepts = [answer(sessions.login, () => session), answer(sessions.validate, () => session)];

const fillIn = async (values: { organization?: string; username?: string; password?: string }) => {
  const { organization = '', username = '', password = '' } = values;
  await screen.findByRole('heading', { name: 'Sign in' });
  if (organization) await userEvent.type(screen.getByLabelText('Organization (optional)'), organization);
  if (username) await userEvent.type(screen.getByLabelText('Username'), username);
  if (password) await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
};

test('signing in with the right password stores the session and opens the dashboard', async () => {
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

test('signing in opens the requested page', async () => {
  const { address } = visit('/reports?reportId=7', ...accepts);

  await fillIn({ username: 'm.haddad', password: 'correct horse' });

  await waitFor(() => expect(address()).toBe('/reports?reportId=7'));
});

test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'reports', 'javascript:alert(1)'])(
  'signing in never opens %s',
  async (redirect) => {
    const { address } = visit(`/login?redirect=${encodeURIComponent(redirect)}`, ...accepts);

    await fillIn({ username: 'm.haddad', password: 'correct horse' });

    await waitFor(() => expect(address()).toBe('/dashboard'));
  },
);

test('signing in sends the organization with the credentials', async () => {
  const { calls, address } = visit('/login', ...accepts);

  await fillIn({ organization: ' North ', username: 'm.haddad', password: 'correct horse' });

  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(calls.find(({ url }) => url.pathname === '/api/auth/login')?.headers.get('x-tenantid')).toBe('north');
});

test('opening the sign-in page signs the user out', async () => {
  signIn();

  visit('/login');

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
  expect(readSession()).toBeUndefined();
  expect(localStorage.getItem('user')).toBeNull();
});

test('a wrong password shows an error and keeps the username', async () => {
  visit('/login', refuse(sessions.login, 401, 'Invalid username or password'));

  await fillIn({ username: 'm.haddad', password: 'wrong' });

  expect((await screen.findByRole('alert')).textContent).toBe('Invalid username or password');
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'm.haddad');
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
});

test('too many attempts to sign in show when to try again', async () => {
  const message = 'Too many wrong passwords. Try again in 2 minutes.';
  visit('/login', refuse(sessions.login, 429, message, { headers: { 'retry-after': '120' } }));

  await fillIn({ username: 'm.haddad', password: 'wrong' });

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/^Too many wrong passwords. Try again in 2 minutes.Try again at \d\d:\d\d\.$/);
});

test('a sign-in form without input is not sent', async () => {
  const { calls } = visit('/login', ...accepts);

  await fillIn({});

  expect(await screen.findByText('Username is required')).toBeDefined();
  expect(screen.getByText('Password is required')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname === '/api/auth/login')).toBe(false);
});

test('the start page without a session opens the sign-in page and requests no data', async () => {
  const { calls, address } = visit('/home');

  await userEvent.click(await screen.findByRole('link', { name: 'Sign in' }));

  await waitFor(() => expect(address()).toBe('/login'));
  const harmless = ['/api/about', '/api/auth/sso', '/api/auth/facts'];
  expect(calls.filter(({ url }) => !harmless.includes(url.pathname))).toEqual([]);
});

const codeRequired = (message: string) =>
  Response.json({ code: 401, error: 'session.second_factor', message, traceId: 't' }, { status: 401 });

/** Server that accepts only this code. */
const asksForCode = (right: string) => ({
  ...answer(sessions.login, () => session),
  reply: ({ body }: SentRequest) => {
    const { code } = body as { code?: string };
    if (code === right) return Response.json({ code: 200, message: 'OK', data: session });
    return codeRequired(code ? 'The code is wrong or already used. Wait for the next code.' : 'Enter the code');
  },
});
const validates = answer(sessions.validate, () => session);

test('signing in with a second factor asks for the code after the password', async () => {
  const { calls, address } = visit('/login', asksForCode('123456'), validates);
  await fillIn({ organization: 'north', username: 'm.haddad', password: 'correct horse' });

  await screen.findByRole('heading', { name: 'Enter your code' });
  expect(document.activeElement).toBe(screen.getByLabelText('Code'));
  await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');

  await waitFor(() => expect(address()).toBe('/dashboard'));
  const login = calls.filter(({ url }) => url.pathname === '/api/auth/login').at(-1);
  expect(login?.body).toEqual({ username: 'm.haddad', password: 'correct horse', code: '123456' });
  expect(login?.headers.get('x-tenantid')).toBe('north');
});

test('a wrong code shows an error, and the user can type the next code at once', async () => {
  const { address } = visit('/login', asksForCode('123456'), validates);
  await fillIn({ username: 'm.haddad', password: 'correct horse' });
  const code = await screen.findByLabelText('Code');

  await userEvent.type(code, '654321{Enter}');

  expect((await screen.findByRole('alert')).textContent).toContain('The code is wrong or already used');
  expect(code).toHaveProperty('value', '');
  await userEvent.type(code, '123456{Enter}');
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('signing in with a recovery code needs no phone', async () => {
  const { address } = visit('/login', asksForCode('ABCD-EFGH-IJKL-MNOP'), validates);
  await fillIn({ username: 'm.haddad', password: 'correct horse' });

  await userEvent.click(await screen.findByRole('button', { name: /Use a recovery code/ }));
  await userEvent.type(screen.getByLabelText('Recovery code'), 'ABCD-EFGH-IJKL-MNOP{Enter}');

  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test('the link for a forgotten password is hidden if the server sends no e-mail', async () => {
  visit('/login');

  await screen.findByRole('heading', { name: 'Sign in' });

  expect(screen.queryByRole('button', { name: 'Forgot password?' })).toBeNull();
});

test('the answer to a request for a reset link does not reveal whether the account exists', async () => {
  const { calls } = visit(
    '/login',
    answer(passwordLinks.facts, () => ({ canSendMail: true })),
    answer(passwordLinks.forgot, () => undefined),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Forgot password?' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send link' }));
  expect(screen.getByText('Username is required')).toBeDefined();
  await userEvent.type(screen.getByLabelText('Username'), 'm.haddad{Enter}');

  expect(await screen.findByText(/If the account “m.haddad” exists, a link was sent/)).toBeDefined();
  expect(calls.find(({ url }) => url.pathname === '/api/auth/forgot-password')?.body).toEqual({ username: 'm.haddad' });
  await userEvent.click(screen.getByRole('button', { name: 'Back to sign in' }));
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'm.haddad');
});

test.each(Object.entries(sessionEnds))('the sign-in page shows why the session ended: %s', async (code, words) => {
  signIn();
  const { address } = visit(
    '/notifications',
    refuse(sessions.validate, 401, 'Authentication required', { error: code }),
  );

  expect(await screen.findByText(words())).toBeDefined();
  expect(address()).toContain('/login');
});
