import { expect, test } from 'vitest';
import { createSharedAnswers } from './shared-requests.ts';

/** Creates a value that changes, and requests for it that wait until `letAnswer` is called. */
const createChanging = () => {
  const shared = createSharedAnswers<number>();
  const underWay: PromiseWithResolvers<void>[] = [];
  let value = 1;
  let requestCount = 0;
  return {
    change: () => {
      value += 1;
    },
    ask: (key = 'study') =>
      shared(key, async () => {
        requestCount += 1;
        const seen = value;
        const gate = Promise.withResolvers<void>();
        underWay.push(gate);
        await gate.promise;
        return seen;
      }),
    asked: () => requestCount,
    letAnswer: () => underWay.shift()?.resolve(),
    fail: (error: Error) => underWay.shift()?.reject(error),
  };
};

test('requests made during a run share the next run, which sees all changes made before them', async () => {
  const changing = createChanging();

  const first = changing.ask();
  changing.change();
  const others = [changing.ask(), changing.ask(), changing.ask()];
  changing.letAnswer();
  await expect(first).resolves.toBe(1);
  changing.letAnswer();

  await expect(Promise.all(others)).resolves.toEqual([2, 2, 2]);
  expect(changing.asked()).toBe(2);
});

test('a later request does not get the result of a finished request', async () => {
  const changing = createChanging();

  const first = changing.ask();
  changing.letAnswer();
  await first;
  changing.change();
  const second = changing.ask();
  changing.letAnswer();

  await expect(second).resolves.toBe(2);
});

test('a failed request is repeated for the waiting callers', async () => {
  const changing = createChanging();

  const first = changing.ask();
  const second = changing.ask();
  changing.fail(new Error('the database is away'));
  await expect(first).rejects.toThrow('the database is away');
  changing.letAnswer();

  await expect(second).resolves.toBe(1);
});

test('a request with another key does not wait for the running request', async () => {
  const changing = createChanging();

  const first = changing.ask('study');
  const other = changing.ask('another study');

  expect(changing.asked()).toBe(2);
  changing.letAnswer();
  changing.letAnswer();
  await expect(Promise.all([first, other])).resolves.toEqual([1, 1]);
});
