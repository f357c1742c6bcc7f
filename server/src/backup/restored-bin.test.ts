import { studies } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { asOwner, emptyDatabase, installed, newFolder } from '#test/backup-folders.ts';
import { runCommand } from '#test/run-command.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { backUp } from './back-up.ts';

// Users recover purged studies from a backup.

const world = await createWorld();
const person = await world.signIn();
await installed(world);

test('studies in the recycle bin of an old backup stay for the full retention after a restore', async () => {
  await storeAs(person, image());
  const { data: list } = await person.send(studies.list);
  const [id] = list.content.map((study) => study.id);
  await world.sql`update studies set deleted_at = now() - interval '31 days'`.execute(world.owner);
  const folder = await newFolder();
  await backUp({ url: world.url, blobs: world.context.blobs }, folder, { onProgress: () => {}, report: () => {} });
  const target = await emptyDatabase();
  expect(await runCommand('restore', target, folder)).toMatchObject({ code: 0 });

  const upkeep = await runCommand('upkeep', target);

  expect(upkeep).toMatchObject({ code: 0, said: expect.stringContaining('0 deleted studies') });
  const remaining = await asOwner(target.DATABASE_URL, async (owner) => {
    const { rows } = await sql<{ id: string }>`select study_id as id from instances`.execute(owner);
    return rows;
  });
  expect(remaining).toEqual([{ id }]);
});
