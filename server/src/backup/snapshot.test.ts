import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, migrationsTurn } from '#core/database/migrate.ts';
import { installed, newFolder } from '#test/backup-folders.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { runSql } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';
import { backUp } from './back-up.ts';
import { connect } from './database-facts.ts';
import { inSnapshot } from './snapshot.ts';

// A backup must show one moment, even when tables change while it is written.

const newSource = async () => {
  const world = await createWorld();
  await installed(world);
  return { url: world.url, blobs: world.context.blobs, world };
};

const connected = async (url: string) => {
  const client = await connect(url);
  onTestFinished(() => client.end());
  return client;
};

const quiet = { onProgress: () => {}, report: () => {} };

test('a table that is rewritten while the backup reads other tables is complete in the backup', async () => {
  const { world, ...source } = await newSource();
  await fillTenant(world, 'Aphelion');
  const rewritten = ['key_images', 'measurements', 'report_versions'];
  const changes: Promise<void>[] = [];
  const rewriteAtFirst = (words: string) => {
    if (changes.length > 0 || !words.startsWith('table 1 ')) return;
    const statements = rewritten.map(
      (table) => `alter table ${table} add column added timestamptz not null default clock_timestamp()`,
    );
    changes.push(runSql(source.url, ...statements));
  };

  const { manifest } = await backUp(source, await newFolder(), { ...quiet, onProgress: rewriteAtFirst });
  await Promise.all(changes);

  const client = await connected(source.url);
  const counts: (number | undefined)[] = [];
  for (const table of rewritten) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    counts.push(rows[0]?.count);
  }
  expect(changes).toHaveLength(1);
  expect(counts).not.toContain(0);
  expect(rewritten.map((table) => manifest.tables.find(({ name }) => name === table)?.rows)).toEqual(counts);
});

test('no migration begins during a snapshot, but a server without pending migrations starts', async () => {
  const { url } = await newSource();
  const [reading, other] = [await connected(url), await connected(url)];
  const isFree = async () => {
    const { rows } = await other.query<{ free: boolean }>(`select pg_try_advisory_lock(${migrationsTurn}) as free`);
    return rows[0]?.free;
  };

  const during = await inSnapshot(reading, async () => [await isFree(), await migrate(url)]);

  expect(during).toEqual([false, []]);
  expect(await isFree()).toBe(true);
});

test('a backup that waited for a migration checks the version of the database again', async () => {
  const { url, blobs } = await newSource();
  const migrating = await connected(url);
  await migrating.query(`select pg_advisory_lock(${migrationsTurn})`);

  const failing = backUp({ url, blobs }, await newFolder(), quiet).then(() => 'done', String);
  await untilSomebodyWaits(migrating);
  await migrating.query(`insert into schema_migrations (name, sha256) values ('9999_later.sql', '')`);
  await migrating.query(`select pg_advisory_unlock(${migrationsTurn})`);

  expect(await failing).toContain('Make the backup with the version that runs the server');
});

const untilSomebodyWaits = async (client: Awaited<ReturnType<typeof connect>>) => {
  const isWaiting = `select from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and not l.granted and a.datname = current_database()`;
  while ((await client.query(isWaiting)).rowCount === 0) await wait(20);
};
