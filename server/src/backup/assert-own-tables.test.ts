import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { emptyDatabase, installed, newFolder } from '#test/backup-folders.ts';
import { runCommand } from '#test/run-command.ts';
import { runSql } from '#test/setup.ts';
import { createWorld } from '#test/world.ts';

// A backup is made only if it could be restored.

const newSource = async (...changes: string[]) => {
  const world = await createWorld();
  const settings = await installed(world);
  await runSql(world.url, ...changes);
  return settings;
};

test.each([
  ['a table', 'create table notes (note text)', 'Not part of Radwork: table notes.'],
  ['a column', 'alter table patients add column "Nick-Name" text', 'Not part of Radwork: column patients.Nick-Name.'],
  ['a sequence', 'create sequence counted', 'Not part of Radwork: sequence counted.'],
  [
    'a missing column',
    'alter table user_identities drop column linked_by',
    'Missing: column user_identities.linked_by.',
  ],
])('refuses to back up a schema that differs by %s, and names the difference', async (_, change, words) => {
  const source = await newSource(change);
  const folder = await newFolder();

  const { code, complaint } = await runCommand('backup', source, folder);

  expect({ code, complaint }).toEqual({ code: 2, complaint: expect.stringContaining(words) });
  expect(await readdir(folder)).toEqual([]);
});

test('ignores tables in another schema and accepts table columns in another order', async () => {
  const source = await newSource(
    'create schema reports_of_ours',
    'create table reports_of_ours.notes (note text)',
    'alter table user_identities drop column linked_by',
    `alter table user_identities add column linked_by text not null default ''`,
    'alter table user_identities drop column subject, add column subject text not null',
  );
  const folder = await newFolder();

  const backedUp = await runCommand('backup', source, folder);
  const restored = await runCommand('restore', await emptyDatabase(), folder);

  expect([backedUp.code, restored.code]).toEqual([0, 0]);
});
