import type { Endpoint } from '@radwork/contract/core/endpoint';
import { heartbeatMs, lapseSeconds, lockErrors, readingLocks } from '@radwork/contract/reading/reading-locks';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readSession } from '#core/state/session.ts';
import { answer, refuse, type SentRequest, serve, signIn } from '#test/screen.tsx';
import { holdReadingLock, type LockState, releaseReadingLocks } from './hold-reading-lock.ts';

beforeEach(() => {
  vi.useFakeTimers();
  signIn();
});
afterEach(async () => {
  await releaseReadingLocks();
  vi.useRealTimers();
});

const address = '/api/studies/s1/reading-lock';

const hold = (studyId = 's1') => {
  const states: LockState[] = [];
  const lock = holdReadingLock(studyId, { isAnother: false, onChange: (state) => states.push(state) });
  return { lock, states };
};

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
const sent = (calls: SentRequest[]) => calls.map(({ method, url }) => `${method} ${url.pathname}`);

const reading = { username: 'm.haddad', name: 'Mona Haddad', since: '2026-11-22T09:12:00Z', isMe: true };
const data = { ...reading, expiresAt: '2026-11-22T09:14:00Z' };

/** Returns an error for this endpoint while `isOn` is set. */
const refusing = (endpoint: Endpoint, code: number, error: string) => {
  const refusal = { isOn: false };
  const reply = () =>
    refusal.isOn
      ? Response.json({ code, error, message: 'No' }, { status: code })
      : Response.json({ code: 200, message: 'OK', data });
  return { given: refusal, answer: { ...refuse(endpoint, code, ''), reply } };
};

test('the page takes the lock at once, renews it every 30 seconds, and finally releases it', async () => {
  const calls = serve();
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  onTestFinished(() => hidden.mockRestore());
  const { lock, states } = hold();

  await seconds(0);
  expect(sent(calls)).toEqual([`PUT ${address}`]);
  await seconds(61);
  expect(sent(calls).slice(1)).toEqual([`PUT ${address}/beat`, `PUT ${address}/beat`]);
  await lock.release();
  await seconds(120);

  expect(heartbeatMs).toBe(30_000);
  expect(sent(calls).slice(3)).toEqual([`DELETE ${address}`]);
  expect(new Set(states)).toEqual(new Set(['held']));
});

test('a closing page releases its lock in an authenticated request that continues after the page is gone', async () => {
  serve();
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  hold();
  await seconds(0);

  window.dispatchEvent(new PageTransitionEvent('pagehide'));

  const [path, init] = fetched.mock.lastCall ?? [];
  expect(path).toBe(address);
  expect(init).toMatchObject({ method: 'DELETE', keepalive: true });
  expect(new Headers(init?.headers).get('authorization')).toBe(`Bearer ${readSession()?.token}`);
});

test('a page that the browser restores from its cache takes its lock again', async () => {
  const calls = serve();
  hold();
  await seconds(0);
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  await seconds(0);

  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await seconds(0);

  expect(sent(calls)).toEqual([`PUT ${address}`, `DELETE ${address}`, `PUT ${address}`]);
});

test('sign-out releases all locks while the session is still valid', async () => {
  const calls = serve();
  hold();
  hold('s2');
  await seconds(0);

  await releaseReadingLocks();

  expect(sent(calls).slice(2)).toEqual([`DELETE ${address}`, 'DELETE /api/studies/s2/reading-lock']);
});

test('if a report is closed and opened again at once, the late release does not end the new lock', async () => {
  const calls = serve();
  const first = hold();
  await seconds(0);
  void first.lock.release();

  hold();
  await seconds(0);

  expect(sent(calls)).toEqual([`PUT ${address}`, `DELETE ${address}`, `PUT ${address}`]);
});

test('if its lock has expired, the page takes the lock again', async () => {
  const { given: refusal, answer } = refusing(readingLocks.beat, 409, lockErrors.lapsed);
  const calls = serve(answer);
  const { states } = hold();
  await seconds(0);
  refusal.isOn = true;

  await seconds(31);

  expect(sent(calls)).toEqual([`PUT ${address}`, `PUT ${address}/beat`, `PUT ${address}`]);
  expect(states.at(-1)).toBe('held');
});

test('the page sends the time of opening when it takes an expired lock again', async () => {
  const { given: refusal, answer: beaten } = refusing(readingLocks.beat, 409, lockErrors.lapsed);
  const calls = serve(
    beaten,
    answer(readingLocks.take, () => data),
  );
  hold();
  await seconds(0);
  refusal.isOn = true;
  await seconds(31);

  const bodies = calls.filter(({ url }) => url.pathname === address).map(({ body }) => body);
  expect(bodies).toEqual([{ isAnother: false }, { isAnother: false, since: reading.since }]);
});

test('a lock held by another user is refused, and the page retries when that user may have left', async () => {
  const { given: refusal, answer } = refusing(readingLocks.beat, 409, lockErrors.held);
  const calls = serve(answer);
  const { states } = hold();
  await seconds(0);
  refusal.isOn = true;

  await seconds(30);
  expect(states).toEqual(['held', 'refused']);
  refusal.isOn = false;
  await seconds(30);

  expect(sent(calls).at(-1)).toBe(`PUT ${address}`);
  expect(states.at(-1)).toBe('held');
});

test('a lock request without an answer is retried, and the lock counts as uncertain after two minutes', async () => {
  const { given: refusal, answer } = refusing(readingLocks.beat, 503, 'server.away');
  const calls = serve(answer);
  const { states } = hold();
  await seconds(0);
  refusal.isOn = true;

  expect(lapseSeconds).toBe(120);
  await seconds(lapseSeconds - 10);
  expect(states).toEqual(['held']);
  expect(calls.length).toBeGreaterThan(10);
  await seconds(20);
  expect(states.at(-1)).toBe('uncertain');
  refusal.isOn = false;
  await seconds(10);

  expect(states.at(-1)).toBe('held');
});

test('in reading mode a lock is not renewed while its reader is idle, and not released when the page closes', async () => {
  const calls = serve(answer(readingLocks.take, () => data));
  const now = Date.now();
  const lock = holdReadingLock('s1', { isAnother: false, isReading: true, onChange: () => {} });
  onTestFinished(() => void vi.setSystemTime(now));
  await seconds(0);
  expect(calls.map(({ body }) => body)).toEqual([{ isAnother: false, isReading: true }]);

  vi.setSystemTime(now + 600_000);
  await seconds(120);
  window.dispatchEvent(new PageTransitionEvent('pagehide'));
  await seconds(0);

  expect(sent(calls)).toEqual([`PUT ${address}`]);
  await lock.release();
});

test('an editor that closes in reading mode does not release the study', async () => {
  const calls = serve(answer(readingLocks.take, () => data));
  const claim = holdReadingLock('s1', { isAnother: false, isReading: true, onChange: () => {} });
  const { lock } = hold();
  await seconds(0);

  await lock.release();
  expect(sent(calls)).not.toContain(`DELETE ${address}`);
  await claim.release();

  expect(sent(calls).at(-1)).toBe(`DELETE ${address}`);
});

test('a page without user activity keeps its lock but does not extend the session', async () => {
  const calls = serve();
  const now = Date.now();
  vi.setSystemTime(now + 600_000);
  onTestFinished(() => void vi.setSystemTime(now));

  hold();
  await seconds(0);

  expect(calls[0]?.headers.get('x-poll')).toBe('1');
});
