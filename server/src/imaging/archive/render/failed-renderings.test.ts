import { expect, test } from 'vitest';
import { Problem } from '#core/http/problem.ts';
import { NotRenderable } from '#imaging/archive/pixels/pixel-format.ts';
import { createRefusals } from './failed-renderings.ts';

const tookTooLong = () => new Problem(503, 'rendering.timeout', 'Too long', { retryAfterSeconds: 30 });

/** Remembers refusals by a clock in seconds that the test sets. Counts how often the work ran. */
const withClock = () => {
  let [seconds, works] = [0, 0];
  const refusals = createRefusals(() => seconds * 1000);
  return {
    set: (to: number) => void (seconds = to),
    ask: (tenantId: number, key: string, outcome: Error | string) =>
      refusals
        .remembered(tenantId, key, async () => {
          works += 1;
          if (outcome instanceof Error) throw outcome;
          return outcome;
        })
        .catch((error: unknown) => error),
    worked: () => works,
  };
};

test('after an image has timed out, the server decodes it again only after the announced retry time', async () => {
  const { ask, set, worked } = withClock();
  await ask(1, 'slow', tookTooLong());

  set(10);
  expect(await ask(1, 'slow', 'a picture')).toMatchObject({ status: 503, retryAfterSeconds: 20 });
  expect(worked()).toBe(1);

  set(30);
  await ask(1, 'slow', tookTooLong());
  set(89);
  expect(await ask(1, 'slow', 'a picture')).toMatchObject({ status: 503, retryAfterSeconds: 1 });
  set(90);
  expect(await ask(1, 'slow', 'a picture')).toBe('a picture');
});

test('the cached refusal of a damaged image applies only to its own tenant', async () => {
  const { ask, worked } = withClock();
  await ask(1, 'damaged', new NotRenderable('compressedDamaged'));

  expect(await ask(1, 'damaged', 'a picture')).toMatchObject({ message: 'The compressed image is damaged.' });
  expect(await ask(2, 'damaged', 'a picture')).toBe('a picture');
  expect(worked()).toBe(2);
});

test('a refusal because the server is busy or stopping is not cached as a fault of the image', async () => {
  const { ask } = withClock();
  await ask(1, 'good', new Problem(503, 'rendering.away', 'The server is shutting down. Try again in a moment.'));

  expect(await ask(1, 'good', 'a picture')).toBe('a picture');
});
