import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAllowance, createRateLimit } from './rate-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTime(count * 1000);

test.each([7, 60, 600, 30_000])('accepts exactly %i calls at once', (perMinute) => {
  const allowance = createAllowance(perMinute);

  const answers = Array.from({ length: perMinute + 1 }, () => allowance.take('rosa'));

  expect(answers.filter((wait) => wait === 0)).toHaveLength(perMinute);
  expect(answers.at(-1)).toBeGreaterThan(0);
  expect(allowance.take('karl')).toBe(0);
});

test('a caller over the limit can make one call after the announced wait, and the full number after a minute', () => {
  const allowance = createAllowance(12);
  const takeAll = () => Array.from({ length: 13 }, () => allowance.take('rosa')).filter((wait) => wait === 0).length;
  takeAll();

  const waitSeconds = allowance.take('rosa');
  seconds(waitSeconds - 1);
  const before = allowance.take('rosa');
  seconds(1);
  const then = [allowance.take('rosa'), allowance.take('rosa')];
  seconds(60);

  expect([waitSeconds, before, then]).toEqual([5, 1, [0, 5]]);
  expect(takeAll()).toBe(12);
});

test('refused calls do not count, so a caller that keeps trying is accepted again', () => {
  const allowance = createAllowance(60);
  for (let call = 0; call < 500; call += 1) allowance.take('rosa');

  seconds(1);

  expect(allowance.take('rosa')).toBe(0);
});

test('a call that is credited back does not count', () => {
  const allowance = createAllowance(2);
  allowance.take('rosa');
  allowance.take('rosa');

  allowance.refund('rosa');

  expect([allowance.take('rosa'), allowance.take('rosa')]).toEqual([0, 30]);
});

test('a limit of 0 allows any number of calls', () => {
  const allowance = createAllowance(0);

  expect(Array.from({ length: 1000 }, () => allowance.take('rosa')).every((wait) => wait === 0)).toBe(true);
});

test('remembers a limited number of callers and keeps those that continue calling', () => {
  const allowance = createAllowance(10);
  for (let call = 0; call < 11; call += 1) allowance.take('the flood');

  const answers = new Set<number>();
  let most = 0;
  for (let other = 0; other < 100_000; other += 1) {
    allowance.take(`address ${other}`);
    if (other % 5000 === 0) answers.add(allowance.take('the flood'));
    most = Math.max(most, allowance.size());
  }

  expect(most).toBeLessThanOrEqual(20_000);
  expect([...answers]).toEqual([6]);
});

test('a refused call learns when to try again', () => {
  const letThrough = createRateLimit(30);
  for (let call = 0; call < 30; call += 1) letThrough('rosa');

  expect(() => letThrough('rosa')).toThrow(
    expect.objectContaining({
      status: 429,
      message: 'Too many calls. Try again in 2 seconds.',
      retryAfterSeconds: 2,
    }),
  );
});
