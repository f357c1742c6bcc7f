import { sessions } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test, vi } from 'vitest';
import { sessionOf, signIn } from '#test/screen.tsx';
import {
  clearSession,
  hasServedAnother,
  saveSession,
  may,
  onSessionChange,
  readSession,
  readSessionEnd,
} from './session.ts';

test('reading the session returns the same object until it changes', () => {
  const session = signIn();

  expect(readSession()).toEqual(session);
  expect(readSession()).toBe(readSession());
});

test.each([
  ['user', '{"username":'],
  ['user', '{"username":"m.haddad"}'],
  ['roles', '"all of them"'],
])('a session whose stored %s is %s is not read', (part, text) => {
  signIn();

  localStorage.setItem(part, text);

  expect(readSession()).toBeUndefined();
});

test('an incomplete stored session is not read', () => {
  signIn();

  localStorage.removeItem('tenant');

  expect(readSession()).toBeUndefined();
});

test('the rights of a session come from its roles', () => {
  signIn('REFERRING_PHYSICIAN');

  expect(may(studies.list)).toBe(true);
  expect(may(studies.remove)).toBe(false);
  expect(may(sessions.logout)).toBe(true);
});

test('without a session only public calls are allowed', () => {
  expect(may(studies.list)).toBe(false);
  expect(may(sessions.login)).toBe(true);
});

test('listeners are notified of sign-in and sign-out, but not of a second sign-out', () => {
  const listener = vi.fn<() => void>();
  const stop = onSessionChange(listener);

  saveSession(sessionOf());
  clearSession();
  clearSession();
  stop();
  saveSession(sessionOf());

  expect(listener).toHaveBeenCalledTimes(2);
});

test('the reason for the end of a session is stored until the next sign-in', () => {
  signIn();
  clearSession('session.user_inactive');
  const reason = readSessionEnd();
  signIn();
  const afterwards = readSessionEnd();
  clearSession();

  expect([reason, afterwards, readSessionEnd()]).toEqual(['session.user_inactive', undefined, undefined]);
});

test('an unknown or old reason for the end of a session is not shown', () => {
  signIn();
  clearSession('<b>somebody else’s words</b>');
  expect(readSessionEnd()).toBeUndefined();

  vi.useFakeTimers();
  signIn();
  clearSession('session.expired');
  vi.advanceTimersByTime(11 * 60_000);

  expect(readSessionEnd()).toBeUndefined();
  vi.useRealTimers();
});

test('a sign-in in another tab is noticed when its token is stored, not when other parts of it are', () => {
  const listener = vi.fn<() => void>();
  const stop = onSessionChange(listener);

  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  stop();

  expect(listener).toHaveBeenCalledTimes(1);
});

test('the page knows whether another user was signed in on it before', () => {
  saveSession(sessionOf('RADIOLOGIST'));
  expect(hasServedAnother()).toBe(false);
  clearSession();
  saveSession(sessionOf('RADIOLOGIST'));
  expect(hasServedAnother()).toBe(false);

  const { user, ...session } = sessionOf('RADIOLOGIST');
  saveSession({ ...session, user: { ...user, id: 'another' } });

  expect(hasServedAnother()).toBe(true);
});
