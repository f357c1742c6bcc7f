import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallLimits, createFloodLog, TooManyCalls } from './call-limits.ts';
import { systemSession } from '#core/access/scope.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const settings = {
  callsPerSession: 2,
  callsPerTenant: 10,
  callsPerAddress: 2,
  imagesPerSession: 2,
  imagesPerTenant: 10,
};
const rosa = { ...systemSession(7), id: 'her session', userId: 'rosa' };

test('counts simultaneous unknown callers before it looks up their sessions', async () => {
  const { countUnknown } = createCallLimits(settings);
  const find = vi.fn<() => Promise<undefined>>(async () => undefined);

  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => countUnknown('10.0.0.1', find)));

  expect(find).toHaveBeenCalledTimes(2);
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(48);
});

test('a call with wrong credentials still counts', async () => {
  const { countUnknown } = createCallLimits(settings);
  const wrong = () =>
    countUnknown('10.0.0.1', async () => {
      throw new Error('wrong');
    });

  await expect(wrong()).rejects.toThrow('wrong');
  await expect(wrong()).rejects.toThrow('wrong');
  await expect(wrong()).rejects.toThrow(TooManyCalls);
});

test('logs a flood of calls once a minute with session and tenant but without an address', async () => {
  const { countSession, countAddress } = createCallLimits(settings);
  const logFlood = createFloodLog();
  const warn = vi.fn<(facts: object) => void>();
  const flood = (call: () => void) => {
    for (let count = 0; count < 20; count += 1) {
      try {
        call();
      } catch (error) {
        if (error instanceof TooManyCalls) logFlood(error.flood, { warn });
      }
    }
  };

  flood(() => countSession(rosa, 'calls'));
  flood(() => countAddress('10.9.8.7'));
  const inOneMinute = warn.mock.calls.map(([facts]) => facts);
  vi.advanceTimersByTime(60_000);
  flood(() => countSession(rosa, 'calls'));

  expect(inOneMinute).toEqual([
    { of: 'calls', by: 'session', tenantId: 7, userId: 'rosa' },
    { of: 'calls', by: 'address' },
  ]);
  expect(warn).toHaveBeenCalledTimes(3);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('10.9.8.7');
});

test('logs at most a hundred floods of calls a minute', () => {
  const logFlood = createFloodLog();
  const warn = vi.fn<(facts: object) => void>();

  for (let tenantId = 0; tenantId < 500; tenantId += 1) logFlood({ of: 'calls', by: 'tenant', tenantId }, { warn });

  expect(warn).toHaveBeenCalledTimes(100);
});
