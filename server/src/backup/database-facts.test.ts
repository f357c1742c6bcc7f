import { expect, onTestFinished, test } from 'vitest';
import { runSql } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';
import { connect } from './database-facts.ts';

const connected = async (url: string) => {
  const client = await connect(url);
  onTestFinished(() => client.end());
  return client;
};

test('ignores every time limit that an operator has set for the database', async () => {
  const world = await createWorld();
  const limitsOf = async () => {
    const client = await connected(world.url);
    const { rows } = await client.query<{ name: string; setting: string; reset_val: string }>(
      `select name, setting, reset_val from pg_settings
       where category = 'Client Connection Defaults / Statement Behavior' and name like '%timeout'`,
    );
    return rows;
  };
  const names = (await limitsOf()).map(({ name }) => name);
  await runSql(
    world.url,
    ...names.map(
      (name) => `do $$ begin
      execute format('alter database %I set ${name} = 3600000', current_database()); end $$`,
    ),
  );

  const limits = await limitsOf();

  expect(names).toContain('idle_session_timeout');
  expect(limits).toEqual(names.map((name) => ({ name, setting: '0', reset_val: '3600000' })));
});
