import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAllowance, createRateLimit } from './rate-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTime(count * 1000);

test.each([7, 60, 600, 30_000])('so many come through at once and no more: %i', (perMinute) => {
  const allowance = createAllowance(perMinute);

  const answers = Array.from({ length: perMinute + 1 }, () => allowance.take('rosa'));

  expect(answers.filter((wait) => wait === 0)).toHaveLength(perMinute);
  expect(answers.at(-1)).toBeGreaterThan(0);
  expect(allowance.take('karl')).toBe(0);
});

test('whoever was too fast goes on as soon as they are told to, evenly, and after a minute as before', () => {
  const allowance = createAllowance(12);
  const takeAll = () => Array.from({ length: 13 }, () => allowance.take('rosa')).filter((wait) => wait === 0).length;
  takeAll();

  const told = allowance.take('rosa');
  seconds(told - 1);
  const before = allowance.take('rosa');
  seconds(1);
  const then = [allowance.take('rosa'), allowance.take('rosa')];
  seconds(60);

  expect([told, before, then]).toEqual([5, 1, [0, 5]]);
  expect(takeAll()).toBe(12);
});

test('what was refused is not counted: whoever goes on trying is let through all the same', () => {
  const allowance = createAllowance(60);
  for (let call = 0; call < 500; call += 1) allowance.take('rosa');

  seconds(1);

  expect(allowance.take('rosa')).toBe(0);
});

test('a call that is given back was none', () => {
  const allowance = createAllowance(2);
  allowance.take('rosa');
  allowance.take('rosa');

  allowance.giveBack('rosa');

  expect([allowance.take('rosa'), allowance.take('rosa')]).toEqual([0, 30]);
});

test('no limit is no limit', () => {
  const allowance = createAllowance(0);

  expect(Array.from({ length: 1000 }, () => allowance.take('rosa')).every((wait) => wait === 0)).toBe(true);
});

test('however many call, so many are remembered, and of them whoever goes on calling', () => {
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

test('who is refused is told when to come again', () => {
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
