import { expect, test } from 'vitest';
import { createJoinedWork, GroupFailed } from './joined-work.ts';

type Item = { name: string; kind?: string; study?: string; fails?: boolean };

/** Work whose groups end when the test says so. `groups` has the names of each started group. */
const controlled = (slowAfter = 60_000) => {
  const groups: string[][] = [];
  const ends: (() => void)[] = [];
  const join = createJoinedWork<number, Item, string>({
    run: async (items) => {
      groups.push(items.map(({ name }) => name));
      await new Promise<void>((end) => ends.push(end));
      if (items.some(({ fails }) => fails)) throw new Error('broken');
      return items.map(({ name }) => `done ${name}`);
    },
    inTurn: (_, work) => work(),
    fits: ({ kind }, [first, ...others]) => kind === first.kind && others.length < 3,
    waitsFor: ({ study }, running) => study !== undefined && study === running.study,
    slowAfter,
  });
  const end = async (group: number) => {
    await expect.poll(() => ends.length).toBeGreaterThan(group);
    ends[group]?.();
  };
  return { groups, join, end };
};

test('starts the first item at once, and joins those that come while it runs', async () => {
  const { groups, join, end } = controlled();

  const first = join(1, { name: 'a' });
  const others = ['b', 'c', 'd'].map((name) => join(1, { name }));

  expect(groups).toEqual([['a']]);
  await end(0);
  expect(await first).toBe('done a');
  await end(1);
  expect(await Promise.all(others)).toEqual(['done b', 'done c', 'done d']);
  expect(groups).toEqual([['a'], ['b', 'c', 'd']]);
});

test('starts an item at once while an item of another key runs', () => {
  const { groups, join } = controlled();

  for (const key of [1, 2]) void join(key, { name: `of ${key}` });

  expect(groups).toEqual([['of 1'], ['of 2']]);
});

test('runs items that do not fit together, or exceed a group, one group after another', async () => {
  const { groups, join, end } = controlled();

  const first = join(1, { name: 'a' });
  const kinds = ['x', 'y', 'x', 'x', 'x', 'x'];
  const others = kinds.map((kind, index) => join(1, { name: `${kind}${index}`, kind }));
  await end(0);
  await first;
  await end(1);
  await others[0];
  await end(2);
  await others[1];
  await end(3);
  await Promise.all(others);

  expect(groups).toEqual([['a'], ['x0', 'x2', 'x3', 'x4'], ['y1'], ['x5']]);
});

test('an item that failed alone gets its error, and an item of a failed group learns that its group failed', async () => {
  const { join, end } = controlled();

  const alone = join(1, { name: 'a', fails: true });
  const grouped = [join(1, { name: 'b' }), join(1, { name: 'c', fails: true })];
  await end(0);

  await expect(alone).rejects.toThrow('broken');
  await end(1);
  const outcomes = await Promise.allSettled(grouped);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { cause: new Error('broken') } });
    expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(GroupFailed);
  }
});

test('a slow group does not delay the next one', async () => {
  const { groups, join, end } = controlled(1);

  const slow = join(1, { name: 'slow' });
  const next = join(1, { name: 'next' });
  await expect.poll(() => groups).toEqual([['slow'], ['next']]);
  await end(1);

  expect(await next).toBe('done next');
  await end(0);
  expect(await slow).toBe('done slow');
});

test('an item that would wait for a slow group does not hold up others, and runs when that group ends', async () => {
  const { groups, join, end } = controlled(1);

  const slow = join(1, { name: 'slow', study: 'locked' });
  const second = join(1, { name: 'second', study: 'locked' });
  const other = join(1, { name: 'other', study: 'free' });
  await expect.poll(() => groups).toEqual([['slow'], ['other']]);
  await end(1);

  expect(await other).toBe('done other');
  expect(groups).toEqual([['slow'], ['other']]);
  await end(0);
  expect(await slow).toBe('done slow');
  await end(2);
  expect(await second).toBe('done second');
});
