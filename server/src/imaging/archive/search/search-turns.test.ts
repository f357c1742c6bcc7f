import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { createWorld, type Person } from '#test/world.ts';
import { createSearchLimits } from './search-turns.ts';

const world = await createWorld();

/** Blocks every search of series until the test calls `release`. */
const holdSeries = async () => {
  const gate = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = world.owner.transaction().execute(async (db) => {
    await sql`lock table series_requests in access exclusive mode`.execute(db);
    gate.resolve();
    await released;
  });
  await gate.promise;
  return { release, holding };
};

const searchesHeld = async (): Promise<number> => {
  const { rows } = await sql<{ held: number }>`
    select count(*) as held from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    world.owner,
  );
  return rows[0]?.held ?? 0;
};

const ask = (person: Person, address: string) => person.request({ method: 'GET', url: `/dicom-web${address}` });

test('slow searches of one caller do not delay other users, and too many of them get 429', async () => {
  const [caller, stranger] = [await world.signIn(), await world.signIn()];
  const colleague = await world.signIn('RADIOLOGIST', caller.tenant);
  const { release, holding } = await holdSeries();
  const refused: unknown[] = [];

  const slow = Array.from({ length: 40 }, async () => {
    const answer = await ask(caller, '/series?SeriesDescription=none');
    if (answer.statusCode === 429) refused.push(answer.headers['retry-after']);
    return answer.statusCode;
  });
  await eventually(() => expect(refused).toHaveLength(8));
  await eventually(async () => expect(await searchesHeld()).toBe(2));
  const others = [
    await ask(caller, '/studies'),
    await ask(colleague, '/studies?StudyID=none'),
    await ask(stranger, '/studies?StudyID=none'),
  ];
  const heldThen = await searchesHeld();
  release();
  await holding;

  expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(heldThen).toBe(2);
  expect(refused).toEqual(Array.from({ length: 8 }, () => '5'));
  expect((await Promise.all(slow)).filter((status) => status === 200)).toHaveLength(32);
});

test('a waiting search does not run after its caller has disconnected', async () => {
  const { session } = await world.signIn();
  const inTurn = createSearchLimits();
  const ended = Promise.withResolvers<string>();
  const first = [1, 2].map(() => inTurn(session, () => ended.promise));
  const search = vi.fn<() => Promise<string>>();

  const abandoned = inTurn(session, search, () => true);
  ended.resolve('found');

  await expect(abandoned).rejects.toMatchObject({ status: 499 });
  expect(await Promise.all(first)).toEqual(['found', 'found']);
  expect(search).not.toHaveBeenCalled();
});
