import { passwordLinks } from '@radwork/contract/identity/accounts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const token = 'x'.repeat(43);
const invites = answer(passwordLinks.check, () => ({
  username: 'rosa.lind',
  organization: 'North Clinic',
  purpose: 'INVITE' as const,
}));
const sets = answer(passwordLinks.use, () => ({ username: 'rosa.lind', subdomain: 'north' }));

const choose = async (password: string, repeated = password) => {
  await userEvent.type(await screen.findByLabelText('New password'), password);
  await userEvent.type(screen.getByLabelText('Repeat new password'), repeated);
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
};

test('a password link names its account and leads to sign-in, and no address contains its token', async () => {
  signIn();
  const { calls, address } = visit(`/set-password#${token}`, invites, sets);

  expect(await screen.findByText('For rosa.lind at North Clinic')).toBeDefined();
  expect(screen.getByText(/^12 to 128 characters\./)).toBeDefined();
  await choose('quiet copper meadow');
  await userEvent.click(await screen.findByRole('link', { name: 'Go to sign in' }));

  // The address needs the organization, because two organizations may have users of the same name.
  await waitFor(() => expect(address()).toBe('/login?organization=north'));
  const used = calls.find(({ url }) => url.pathname === '/api/auth/password-links/use');
  expect(used?.body).toEqual({ token, password: 'quiet copper meadow' });
  expect(used?.headers.get('authorization')).toBeNull();
  expect(calls.some(({ url }) => url.href.includes(token))).toBe(false);
});

test('the password page does not send a short password or two different passwords', async () => {
  const { calls } = visit(`/set-password#${token}`, invites, sets);

  await choose('short', 'shorter');

  expect(screen.getByText('Use at least 12 characters')).toBeDefined();
  expect(screen.getByText('The passwords do not match')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname.endsWith('/use'))).toBe(false);
});

test("the password page shows the server's error at the field and keeps the link valid", async () => {
  const errors = [{ field: 'password', message: 'This password is too common' }];
  visit(`/set-password#${token}`, invites, refuse(passwordLinks.use, 422, 'This password is too common', { errors }));

  await choose('password1234');

  expect(await screen.findByText('This password is too common')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Set password' })).toBeDefined();
});

test.each([
  ['', 'without a token'],
  [`#${token}`, 'that does not work any more'],
])('a password link with an empty or invalid token says what to do: "%s"', async (hash) => {
  visit(`/set-password${hash}`, refuse(passwordLinks.check, 404, 'This link does not work any more'));

  expect(await screen.findByRole('heading', { name: 'This link is no longer valid' })).toBeDefined();
  expect(screen.getByText(/Ask your administrator for a new link/)).toBeDefined();
});

test('if the link was used in the meantime, the password page says so after sending', async () => {
  visit(`/set-password#${token}`, invites, refuse(passwordLinks.use, 404, 'This link does not work any more'));

  await choose('quiet copper meadow');

  expect(await screen.findByRole('heading', { name: 'This link is no longer valid' })).toBeDefined();
});

test('the password page does not call a link invalid when the server cannot be reached', async () => {
  visit(`/set-password#${token}`, refuse(passwordLinks.check, 503, 'The database cannot be reached'));

  expect(await screen.findByText('Failed to open the link')).toBeDefined();
});
