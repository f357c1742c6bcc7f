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

test('the session is read back as the same object until it changes', () => {
  const session = signIn();

  expect(readSession()).toEqual(session);
  expect(readSession()).toBe(readSession());
});

test.each([
  ['user', '{"username":'],
  ['user', '{"username":"m.haddad"}'],
  ['roles', '"all of them"'],
])('%s = %s is no session', (part, text) => {
  signIn();

  localStorage.setItem(part, text);

  expect(readSession()).toBeUndefined();
});

test('an incomplete session is no session', () => {
  signIn();

  localStorage.removeItem('tenant');

  expect(readSession()).toBeUndefined();
});

test('rights come from the roles', () => {
  signIn('REFERRING_PHYSICIAN');

  expect(may(studies.list)).toBe(true);
  expect(may(studies.remove)).toBe(false);
  expect(may(sessions.logout)).toBe(true);
});

test('without a session only public calls are allowed', () => {
  expect(may(studies.list)).toBe(false);
  expect(may(sessions.login)).toBe(true);
});

test('listeners hear sign-in and sign-out, but no second sign-out', () => {
  const heard = vi.fn<() => void>();
  const stop = onSessionChange(heard);

  saveSession(sessionOf());
  clearSession();
  clearSession();
  stop();
  saveSession(sessionOf());

  expect(heard).toHaveBeenCalledTimes(2);
});

test('the reason for the end of a session is kept until the next sign-in', () => {
  signIn();
  clearSession('session.user_inactive');
  const told = readSessionEnd();
  signIn();
  const afterwards = readSessionEnd();
  clearSession();

  expect([told, afterwards, readSessionEnd()]).toEqual(['session.user_inactive', undefined, undefined]);
});

test('an unknown or old reason is not shown', () => {
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

test('another tab is noticed by its token, not by the earlier parts', () => {
  const heard = vi.fn<() => void>();
  const stop = onSessionChange(heard);

  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  stop();

  expect(heard).toHaveBeenCalledTimes(1);
});

test('the page knows whether it has served another user', () => {
  saveSession(sessionOf('RADIOLOGIST'));
  expect(hasServedAnother()).toBe(false);
  clearSession();
  saveSession(sessionOf('RADIOLOGIST'));
  expect(hasServedAnother()).toBe(false);

  const { user, ...session } = sessionOf('RADIOLOGIST');
  saveSession({ ...session, user: { ...user, id: 'another' } });

  expect(hasServedAnother()).toBe(true);
});
