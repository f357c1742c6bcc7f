import { expect, test } from 'vitest';
import { startPeriodicTask } from './periodic-task.ts';

test('a periodic task runs immediately and then regularly, even after a failure, until it is stopped', async () => {
  const rounds = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  let count = 0;
  const runOnce = async () => {
    count += 1;
    if (count === 3) rounds.resolve();
    throw new Error(`Round ${count}`);
  };

  const stop = startPeriodicTask({ everyMs: 1, runOnce, onError: (error) => errors.push(error) });
  await rounds.promise;
  await stop();

  expect(errors.slice(0, 3)).toEqual([new Error('Round 1'), new Error('Round 2'), new Error('Round 3')]);
});

test('stopping a periodic task waits for its current run and starts no other', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let runCount = 0;
  let isDone = false;
  const runOnce = async () => {
    runCount += 1;
    await promise;
    isDone = true;
  };

  const stop = startPeriodicTask({ everyMs: 1, runOnce, onError: () => {} });
  const stopped = stop();
  resolve();
  await stopped;

  expect([runCount, isDone]).toEqual([1, true]);
});
