import { expect, test } from 'vitest';
import { RemoteError, StatusError } from '#imaging/remote-archives/remote-source.ts';
import { pauseAfter } from './fetch-study.ts';

const retries = { most: 5, firstPauseMs: 1000 };

test('the pause doubles after each failure and is random, so that imports do not retry together', () => {
  const error = new RemoteError('OTHER', 'The archive closed the connection.');

  const pauses = [0, 1, 4].map((retry) => pauseAfter(error, retry, retries));

  for (const [index, usual] of [1000, 2000, 16_000].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(usual / 2);
    expect(pauses[index]).toBeLessThan(usual * 1.5);
  }
});

test('waits as long as the archive asks before a retry, up to a minute', () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();

  expect(pauseAfter(new StatusError(429, '40'), 0, retries)).toBe(40_000);
  expect(pauseAfter(new StatusError(503, '3600'), 0, retries)).toBe(60_000);
  expect(pauseAfter(new StatusError(429, inAnHour), 0, retries)).toBe(60_000);
  expect(pauseAfter(new StatusError(429, 'soon'), 0, retries)).toBeLessThan(1500);
  expect(pauseAfter(new StatusError(429, '0'), 4, retries)).toBeGreaterThanOrEqual(8000);
});
