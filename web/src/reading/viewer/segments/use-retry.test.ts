import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#core/http/api.ts';
import { isRetryable, useRetryCount } from './use-retry.ts';

afterEach(() => vi.useRealTimers());

test('loading segments can be retried when the server was silent, busy or disconnected', () => {
  const failures = [0, 408, 429, 500, 503].map((status) => new ApiError(status, 'x', 'x'));

  expect([...failures, new TypeError('network error')].map(isRetryable)).toEqual(Array(6).fill(true));
});

test('loading segments is not retried after a refusal, a missing file or a wrong answer', () => {
  const failures = [400, 401, 403, 404, 406, 410].map((status) => new ApiError(status, 'x', 'x'));
  const wrongFrame = Object.assign(new Error('The frame is of another size'), { name: 'WrongFrame' });

  expect([...failures, wrongFrame, new Error('2 frames came')].map(isRetryable)).toEqual(Array(8).fill(false));
});

test('only temporary failures to load segments are retried, each time after a pause', () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook(({ what, isWorthIt }) => useRetryCount(what, isWorthIt), {
    initialProps: { what: {}, isWorthIt: false },
  });
  const later = () => act(() => void vi.advanceTimersByTime(60_000));

  later();
  expect(result.current).toBe(0);
  rerender({ what: {}, isWorthIt: true });
  later();
  expect(result.current).toBe(1);
  rerender({ what: {}, isWorthIt: true });
  later();
  expect(result.current).toBe(2);
});
