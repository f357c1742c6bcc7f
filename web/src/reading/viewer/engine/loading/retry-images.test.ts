import type { Types } from '@cornerstonejs/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withRetries } from './retry-images.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const answered = (status: number, retryAfter?: string) =>
  Object.create(XMLHttpRequest.prototype, {
    status: { value: status },
    getResponseHeader: { value: (name: string) => (name === 'retry-after' ? (retryAfter ?? null) : null) },
  });

/** Server that returns these responses in turn and records the requests. */
const server = (...answers: unknown[]) => {
  const requestedIds: string[] = [];
  const load = withRetries((imageId) => {
    requestedIds.push(imageId);
    const answer = answers[requestedIds.length - 1];
    return { promise: answer === 'image' ? Promise.resolve({ imageId } as Types.IImage) : Promise.reject(answer) };
  });
  return { asked: requestedIds, load: () => load('wadors:1').promise };
};

test('an image refused with 429 is requested again when the server accepts calls', async () => {
  const { asked: requestedIds, load } = server(answered(429, '1'), 'image');

  const loaded = load();
  await vi.advanceTimersByTimeAsync(999);
  expect(requestedIds).toHaveLength(1);
  await vi.runAllTimersAsync();

  expect(await loaded).toEqual({ imageId: 'wadors:1' });
  expect(requestedIds).toHaveLength(2);
});

test('an image request with a distant Retry-After or another error fails at once and is not repeated', async () => {
  const later = server(answered(429, '900'));
  const gone = server(answered(404), 'image');

  await expect(later.load()).rejects.toMatchObject({ status: 429 });
  await expect(gone.load()).rejects.toMatchObject({ status: 404 });
  expect([later.asked.length, gone.asked.length]).toEqual([1, 1]);
});

test('an image fails after six answers with 429', async () => {
  const { asked: requestedIds, load } = server(...Array.from({ length: 20 }, () => answered(429, '1')));

  await Promise.all([expect(load()).rejects.toMatchObject({ status: 429 }), vi.runAllTimersAsync()]);

  expect(requestedIds).toHaveLength(6);
});
