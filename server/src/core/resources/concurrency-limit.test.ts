import { expect, test } from 'vitest';
import { createLimit } from './concurrency-limit.ts';

test('runs at most the allowed number of tasks at once, in order of arrival, even if tasks fail', async () => {
  const limited = createLimit(2);
  const order: number[] = [];
  let running = 0;
  let most = 0;

  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((number) =>
      limited(async () => {
        order.push(number);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (number === 2) throw new Error('number two');
        return number;
      }),
    ),
  );

  expect(most).toBe(2);
  expect(order).toEqual([1, 2, 3, 4, 5]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
