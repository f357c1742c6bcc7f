import { type Account, account } from '@radwork/contract/identity/accounts';
import { sessions } from '@radwork/contract/identity/sessions';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { saveSession, readSession } from '#core/state/session.ts';
import { answer, bodiesOf, refuse, sessionOf, signIn, visit } from '#test/screen.tsx';

const accountFor = (more: Partial<Account> = {}): Account => ({
  id: 'u1',
  username: 'm.haddad',
  name: 'Mona Haddad',
  email: 'mona@north.example',
  specialization: 'Chest',
  credentials: '',
  department: 'Radiology',
  userType: 'RADIOLOGIST',
  organization: 'North Clinic',
  roles: ['Radiologist'],
  revision: 3,
  lastLoginAt: null,
  hasPassword: true,
  secondFactor: { isSet: false, since: null, recoveryCodesLeft: 0, isRequired: false },
  ...more,
});

const isOn = { isSet: true, since: '2026-11-20T09:00:00Z', recoveryCodesLeft: 8, isRequired: false };

const currentSession = {
  id: 's1',
  device: 'Firefox on Windows',
  address: '10.0.0.1',
  since: '2026-11-22T08:00:00Z',
  lastSeenAt: null,
  isCurrent: true,
};
const phone = {
  ...currentSession,
  id: 's2',
  device: 'Safari on iPhone',
  address: '10.0.0.2',
  lastSeenAt: '2026-11-22T08:30:00Z',
  isCurrent: false,
};

const open = async (more: Partial<Account> = {}, ...answers: ReturnType<typeof answer>[]) => {
  signIn();
  const visited = visit(
    '/account',
    ...answers,
    answer(account.read, () => accountFor(more)),
    answer(account.sessions, () => [currentSession, phone]),
  );
  await screen.findByRole('heading', { name: 'Profile' });
  return visited;
};

test('the user menu opens the account screen', async () => {
  signIn();
  const { address } = visit(
    '/notifications',
    answer(account.read, () => accountFor()),
    answer(account.sessions, () => []),
  );

  await userEvent.click(await screen.findByRole('button', { name: /Account of/ }));
  await userEvent.click(await screen.findByRole('link', { name: 'My account' }));

  await waitFor(() => expect(address()).toBe('/account'));
});

test('saving the account sends a new name at the loaded revision and shows it in the menu at once', async () => {
  const renamed = { ...sessionOf(), user: { ...sessionOf().user, name: 'Mona Berg' } };
  const visited = await open(
    {},
    answer(account.save, () => accountFor({ name: 'Mona Berg', revision: 4 })),
  );
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Mona Berg');
  // From here on, the server returns the new name.
  const token = readSession()?.token ?? '';
  saveSession({ ...renamed, token });

  await userEvent.click(screen.getByRole('button', { name: 'Save profile' }));

  expect(await screen.findByText('Your account was saved')).toBeDefined();
  expect(bodiesOf(visited.calls, account.save)).toEqual([
    {
      name: 'Mona Berg',
      email: 'mona@north.example',
      specialization: 'Chest',
      credentials: '',
      department: 'Radiology',
      revision: 3,
    },
  ]);
  await waitFor(() => expect(visited.calls.some(({ url }) => url.pathname === '/api/auth/validate')).toBe(true));
  expect(screen.getByRole('button', { name: 'Save profile' })).toHaveProperty('disabled', true);
});

test('the account screen asks for the password before it sends a new e-mail address', async () => {
  const visited = await open(
    {},
    answer(account.save, () => accountFor({ email: 'new@north.example', revision: 4 })),
  );
  const email = screen.getByRole('textbox', { name: 'E-mail address' });
  await userEvent.clear(email);
  await userEvent.type(email, 'new@north.example');

  await userEvent.click(screen.getByRole('button', { name: 'Save profile' }));
  expect(await screen.findByText('Enter your password to change your e-mail address')).toBeDefined();
  expect(bodiesOf(visited.calls, account.save)).toEqual([]);
  await userEvent.type(screen.getByLabelText(/^Your password/), 'correct horse');
  await userEvent.click(screen.getByRole('button', { name: 'Save profile' }));

  await screen.findByText('Your account was saved');
  expect(bodiesOf(visited.calls, account.save)).toMatchObject([
    { email: 'new@north.example', currentPassword: 'correct horse' },
  ]);
});

test('the account screen reports a change from elsewhere, and loads the new values on request', async () => {
  await open({}, refuse(account.save, 409, 'Your account was changed in another session.'));
  await userEvent.type(screen.getByRole('textbox', { name: 'Department' }), ' B');

  await userEvent.click(screen.getByRole('button', { name: 'Save profile' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Reload' }));

  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Department' })).toHaveProperty('value', 'Radiology'));
});

const typePasswords = async (current: string, newPassword: string, repeated = newPassword) => {
  if (current) await userEvent.type(screen.getByLabelText(/^Current password/), current);
  await userEvent.type(screen.getByLabelText('New password *'), newPassword);
  await userEvent.type(screen.getByLabelText(/^Repeat new password/), repeated);
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
};

test('the account screen shows the password rules at the field, and names a broken rule before sending', async () => {
  const visited = await open();

  expect(screen.getByText(/^12 to 128 characters\./)).toBeDefined();
  await typePasswords('', 'short', 'shor');

  expect(screen.getByText('Enter your current password')).toBeDefined();
  expect(screen.getByText('Use at least 12 characters')).toBeDefined();
  expect(screen.getByText('The passwords do not match')).toBeDefined();
  expect(screen.getByText('5 of at least 12 characters')).toBeDefined();
  expect(bodiesOf(visited.calls, account.changePassword)).toEqual([]);
});

test("the account screen changes the password, and shows the server's error at its field", async () => {
  const fault = { field: 'newPassword', message: 'This password is too common' };
  let answers = 0;
  const visited = await open(
    {},
    {
      ...answer(account.changePassword, () => undefined),
      reply: () => {
        answers += 1;
        return answers === 1
          ? Response.json(
              { code: 422, error: 'form.invalid', message: fault.message, errors: [fault] },
              { status: 422 },
            )
          : Response.json({ code: 200, message: 'OK', data: null });
      },
    },
  );

  await typePasswords('correct horse', 'password12345');
  expect((await screen.findAllByText('This password is too common')).length).toBeGreaterThan(0);
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));

  expect(await screen.findByText('Your password was changed')).toBeDefined();
  expect(bodiesOf(visited.calls, account.changePassword).at(-1)).toEqual({
    currentPassword: 'correct horse',
    newPassword: 'password12345',
  });
  expect(screen.getByLabelText(/^Current password/)).toHaveProperty('value', '');
});

test('a second factor is set up with password, code and confirmed recovery codes', async () => {
  const key = 'JBSWY3DPEHPK3PXP';
  const codes = Array.from({ length: 10 }, (_, at) => `AAAA-BBBB-CCCC-DDD${at + 2}`);
  const visited = await open(
    {},
    answer(account.beginSecondFactor, () => ({ key, uri: `otpauth://totp/Radwork:m?secret=${key}` })),
    answer(account.confirmSecondFactor, () => ({ recoveryCodes: codes })),
  );

  await userEvent.click(screen.getByRole('button', { name: 'Set up' }));
  await userEvent.type(await screen.findByLabelText(/^Your password/), 'correct horse{Enter}');
  expect(await screen.findByTitle('QR code for the authenticator app')).toBeDefined();
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeDefined();
  await userEvent.type(screen.getByLabelText(/^Code from the app/), '123456{Enter}');

  expect(await screen.findByText(codes[9] ?? '')).toBeDefined();
  expect(bodiesOf(visited.calls, account.beginSecondFactor)).toEqual([{ currentPassword: 'correct horse' }]);
  expect(bodiesOf(visited.calls, account.confirmSecondFactor)).toEqual([{ code: '123456' }]);
  expect(screen.getByRole('button', { name: 'Done' })).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByRole('checkbox', { name: 'I have stored these codes' }));
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(codes[9] ?? '')).toBeNull());
});

test('a second factor is turned off only with password and code', async () => {
  const visited = await open(
    { secondFactor: isOn },
    answer(account.removeSecondFactor, () => undefined),
  );
  expect(screen.getByText('8 recovery codes left')).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Turn off' }));
  expect(dialog.getByText('Enter your password')).toBeDefined();
  expect(bodiesOf(visited.calls, account.removeSecondFactor)).toEqual([]);
  await userEvent.type(dialog.getByLabelText(/^Your password/), 'correct horse');
  await userEvent.type(dialog.getByLabelText(/^App code or recovery code/), '123456');
  await userEvent.click(dialog.getByRole('button', { name: 'Turn off' }));

  expect(await screen.findByText('Second factor turned off')).toBeDefined();
  expect(bodiesOf(visited.calls, account.removeSecondFactor)).toEqual([
    { code: '123456', currentPassword: 'correct horse' },
  ]);
});

test('the account screen lists the sessions, and can end one session, all others, or all', async () => {
  const visited = await open(
    {},
    answer(account.endSession, () => undefined),
    answer(account.endSessions, () => ({ ended: 1 })),
  );

  expect(await screen.findByText('This session')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Sign out Firefox/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone, 10.0.0.2' }));
  expect(await screen.findByText('Session ended')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Sign out of other sessions' }));
  await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out everywhere' }));

  await waitFor(() => expect(visited.address()).toBe('/login'));
  expect(bodiesOf(visited.calls, account.endSessions)).toEqual([{ which: 'OTHERS' }, { which: 'ALL' }]);
  expect(readSession()).toBeUndefined();
});

test('an account that cannot be loaded shows a message and a retry', async () => {
  signIn();
  visit(
    '/account',
    refuse(account.read, 503, 'The database cannot be reached.'),
    answer(account.sessions, () => []),
  );

  expect(await screen.findByText('Failed to load your account')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

const needsFactor = () => {
  const session = sessionOf('ADMIN');
  const restricted = { ...session, user: { ...session.user, secondFactor: 'NEEDED' as const } };
  saveSession(restricted);
  return restricted;
};

test('a user who must set up a second factor sees the page to set it up first, then the requested page', async () => {
  const session = needsFactor();
  let isSet = false;
  const { address } = visit(
    '/reports?reportId=7',
    answer(account.beginSecondFactor, () => ({ key: 'JBSWY3DP', uri: 'otpauth://totp/Radwork:m?secret=JBSWY3DP' })),
    answer(account.confirmSecondFactor, () => {
      isSet = true;
      return { recoveryCodes: ['AAAA-BBBB-CCCC-DDD2'] };
    }),
    answer(sessions.validate, () =>
      isSet ? { ...session, user: { ...session.user, secondFactor: 'SET' as const } } : session,
    ),
  );

  await screen.findByRole('heading', { name: 'Set up a second factor' });
  expect(screen.getByText('North Clinic requires a second factor.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await userEvent.type(await screen.findByLabelText(/^Code from the app/), '123456{Enter}');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'I have stored these codes' }));
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));

  await waitFor(() => expect(address()).toBe('/reports?reportId=7'));
});

test('when the organization begins to require a second factor, the page to set it up opens', async () => {
  signIn('ADMIN');
  const { address } = visit(
    '/account',
    {
      ...answer(account.read, () => accountFor()),
      reply: () =>
        Response.json(
          { code: 403, error: 'session.second_factor_needed', message: 'Your organization requires a second factor.' },
          { status: 403 },
        ),
    },
    answer(account.sessions, () => []),
  );

  await waitFor(() => expect(address()).toMatch(/^\/second-factor/));
});
