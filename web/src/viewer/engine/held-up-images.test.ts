import type { Types } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { askingAgain } from './held-up-images.ts';

const answered = (status: number, retryAfter?: string) =>
  Object.create(XMLHttpRequest.prototype, {
    status: { value: status },
    getResponseHeader: { value: (name: string) => (name === 'retry-after' ? (retryAfter ?? null) : null) },
  });

/** A server that answers so, one after the other, and the times at which it was asked. */
const server = (...answers: unknown[]) => {
  const asked: number[] = [];
  const load = askingAgain((imageId) => {
    asked.push(performance.now());
    const answer = answers[asked.length - 1];
    return { promise: answer === 'image' ? Promise.resolve({ imageId } as Types.IImage) : Promise.reject(answer) };
  });
  return { asked, load: () => load('wadors:1').promise };
};

test('an image that was one too many is asked for again when the server takes calls again, and comes', async () => {
  const { asked, load } = server(answered(429, '1'), 'image');

  expect(await load()).toEqual({ imageId: 'wadors:1' });
  const [first = 0, second = 0] = asked;
  expect(second - first).toBeGreaterThan(950);
});

test('what is to be asked for much later, or failed otherwise, fails at once and is asked for once', async () => {
  const later = server(answered(429, '900'));
  const gone = server(answered(404), 'image');

  await expect(later.load()).rejects.toMatchObject({ status: 429 });
  await expect(gone.load()).rejects.toMatchObject({ status: 404 });
  expect([later.asked.length, gone.asked.length]).toEqual([1, 1]);
});

test('a server that goes on having too many calls is asked six times and no more', { timeout: 60_000 }, async () => {
  const { asked, load } = server(...Array.from({ length: 20 }, () => answered(429, '1')));

  await expect(load()).rejects.toMatchObject({ status: 429 });
  expect(asked).toHaveLength(6);
});
