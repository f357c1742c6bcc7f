import { sessions } from '@radwork/contract/sessions';
import { studies } from '@radwork/contract/studies';
import { expect, test, vi } from 'vitest';
import { sessionOf, signIn } from '#test/screen.tsx';
import {
  clearSession,
  hasServedAnother,
  keepSession,
  may,
  onSessionChange,
  readSession,
  readSessionEnd,
} from './session.ts';

test('who signed in is read back, the same object until something changes', () => {
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

test('a missing part is no session', () => {
  signIn();

  localStorage.removeItem('tenant');

  expect(readSession()).toBeUndefined();
});

test('rights are those of the roles', () => {
  signIn('REFERRING_PHYSICIAN');

  expect(may(studies.list)).toBe(true);
  expect(may(studies.remove)).toBe(false);
  expect(may(sessions.logout)).toBe(true);
});

test('nobody may anything but what is public', () => {
  expect(may(studies.list)).toBe(false);
  expect(may(sessions.login)).toBe(true);
});

test('signing in and out is heard, and a second sign-out is not', () => {
  const heard = vi.fn<() => void>();
  const stop = onSessionChange(heard);

  keepSession(sessionOf());
  clearSession();
  clearSession();
  stop();
  keepSession(sessionOf());

  expect(heard).toHaveBeenCalledTimes(2);
});

test('why the server has ended a session is kept for whoever sits here, and not once somebody has signed in', () => {
  signIn();
  clearSession('session.user_inactive');
  const told = readSessionEnd();
  signIn();
  const afterwards = readSessionEnd();
  clearSession();

  expect([told, afterwards, readSessionEnd()]).toEqual(['session.user_inactive', undefined, undefined]);
});

test('what is no reason of ours, or is old, is not told', () => {
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

test('another tab is heard by its token and not by the parts before it', () => {
  const heard = vi.fn<() => void>();
  const stop = onSessionChange(heard);

  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  stop();

  expect(heard).toHaveBeenCalledTimes(1);
});

test('it is known whether the page has served somebody else', () => {
  keepSession(sessionOf('RADIOLOGIST'));
  expect(hasServedAnother()).toBe(false);
  clearSession();
  keepSession(sessionOf('RADIOLOGIST'));
  expect(hasServedAnother()).toBe(false);

  const { user, ...session } = sessionOf('RADIOLOGIST');
  keepSession({ ...session, user: { ...user, id: 'another' } });

  expect(hasServedAnother()).toBe(true);
});
