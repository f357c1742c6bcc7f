import { chat } from '@radwork/contract/reading/chat';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { claimStore } from '#test/claim-store.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { purgeRecycleBin } from './purge-recycle-bin.ts';
import { sweepTenant } from './sweep-tenant.ts';
import { removalsLockKey } from './storage-locks.ts';
import { verifyArchive } from './verify-archive.ts';

const world = await createWorld();
const { context } = world;
await claimStore(world);
const steps = reportSteps(world);
const findings = findingSteps(world);

/**
 * Creates a study that was deleted some days ago, with one image, a draft, a confirmed critical finding, a chat message
 * and an invitation.
 */
const deletedStudy = async (person: Person, days: number) => {
  const file = image();
  await storeAs(person, file);
  const study = await person.inScope(({ db }) =>
    db.selectFrom('studies').select('id').orderBy('created_at', 'desc').executeTakeFirstOrThrow(),
  );
  const { data: report } = await beginReport(person, study.id, { content: '<p>Draft.</p>' });
  const finding = await findings.add(person, report.id);
  await findings.communicate(person, finding.id, { recipientName: 'Ward 3', method: 'PHONE', hasReadBack: true });
  await person.send(chat.send, { body: { conversationId: study.id, text: 'Is this the left one?' } });
  await person.inScope(({ db }) =>
    db
      .insertInto('chat_invitations')
      .values({ study_id: study.id, user_id: person.userId, invited_by: person.userId })
      .execute(),
  );
  await world.sql`update studies set deleted_at = now() - ${`${days} days`}::interval where id = ${study.id}`.execute(
    world.owner,
  );
  return { file, id: study.id };
};

const fileCount = async ({ tenant }: Person): Promise<number> => {
  let count = 0;
  for await (const { size } of context.blobs.list(tenant.id)) count += size > 0 ? 1 : 0;
  return count;
};

const remainingOf = async (person: Person) => ({
  studies: (await person.inScope(({ db }) => db.selectFrom('studies').select('id').execute())).map(({ id }) => id),
  differences: (await verifyArchive(context, { tenant: person.tenant.subdomain }, () => {})).differences,
  files: await fileCount(person),
});

test('purges rows and files of a study deleted more than thirty days ago, and audits it', async () => {
  const person = await world.signIn();
  const { id: young } = await deletedStudy(person, 29);
  const { id: old } = await deletedStudy(person, 31);

  const purged = await purgeRecycleBin(context, person.tenant.id);

  expect(purged).toBe(1);
  expect(await remainingOf(person)).toEqual({ studies: [young], differences: 0, files: 1 });
  const entries = await person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['username', 'study_id', 'detail'])
      .where('action', '=', 'study.purge')
      .execute(),
  );
  expect(entries).toEqual([{ username: 'system', study_id: old, detail: { instances: 1 } }]);
});

test('a purged study may be uploaded again', async () => {
  const person = await world.signIn();
  const { file } = await deletedStudy(person, 31);
  await purgeRecycleBin(context, person.tenant.id);

  await storeAs(person, file);

  expect(await remainingOf(person)).toMatchObject({ differences: 0, files: 1 });
});

test('files of a study purged during a backup are removed by the next upkeep', async () => {
  const person = await world.signIn();
  await deletedStudy(person, 31);
  await world.owner.transaction().execute(async (db) => {
    await world.sql`select pg_advisory_xact_lock(${world.sql.raw(removalsLockKey)})`.execute(db);
    await purgeRecycleBin(context, person.tenant.id);
  });
  const during = await remainingOf(person);

  await sweepTenant(context, person.tenant.id);

  expect(during).toMatchObject({ studies: [], files: 1 });
  expect(await remainingOf(person)).toMatchObject({ differences: 0, files: 0 });
});

test('does not purge a study with a legal hold or a signed report, even long after its deletion', async () => {
  const person = await world.signIn();
  const { id: heldId } = await deletedStudy(person, 400);
  await world.sql`update studies set is_on_legal_hold = true where id = ${heldId}`.execute(world.owner);
  const { id: report, study } = await steps.begin(person);
  await steps.finalize(person, report);
  await world.sql`update studies set deleted_at = now() - interval '400 days' where id = ${study.id}`.execute(
    world.owner,
  );

  const purged = await purgeRecycleBin(context, person.tenant.id);

  expect(purged).toBe(0);
  expect((await remainingOf(person)).studies.toSorted()).toEqual([heldId, study.id].toSorted());
});

test.each([
  ['was informed but did not acknowledge it', true],
  ['could not be reached', false],
])('does not purge a study with a critical finding whose recipient %s', async (_, wasReached) => {
  const person = await world.signIn();
  const { id } = await deletedStudy(person, 400);
  const { id: report } = await person.inScope(({ db }) =>
    db.selectFrom('reports').select('id').where('study_id', '=', id).executeTakeFirstOrThrow(),
  );
  await world.sql`update studies set deleted_at = null where id = ${id}`.execute(world.owner);
  const finding = await findings.add(person, report);
  await findings.communicate(person, finding.id, { recipientName: 'Ward 3', method: 'PHONE', wasReached });
  await world.sql`update studies set deleted_at = now() - interval '400 days' where id = ${id}`.execute(world.owner);

  expect(await purgeRecycleBin(context, person.tenant.id)).toBe(0);
  expect((await remainingOf(person)).studies).toEqual([id]);
});

test('the database role that serves requests can delete images only by purging a study', async () => {
  const person = await world.signIn();
  const { id } = await deletedStudy(person, 1);

  for (const table of ['instances', 'series', 'studies'] as const) {
    await expect(person.inScope(({ db }) => db.deleteFrom(table).execute())).rejects.toThrow('permission denied');
  }
  const { rows } = await person.inScope(({ db }) => world.sql`select purge_study(${id}) as purged`.execute(db));
  expect(rows).toEqual([{ purged: null }]);
});

test('the purge function covers every table whose reference to a study would prevent the purge', async () => {
  const { rows: tables } = await world.sql<{ name: string }>`
    with recursive referring as (
      select unnest(array['studies', 'series', 'instances', 'reports']::regclass[]) as id
      union
      select c.conrelid from pg_constraint c join referring on c.confrelid = referring.id
      where c.contype = 'f' and c.confdeltype not in ('c', 'n'))
    select id::regclass::text as name from referring
    order by name`.execute(world.owner);

  const { rows } = await world.sql<{ text: string }>`
    select prosrc as text from pg_proc where proname = 'delete_rows_of_study'`.execute(world.owner);

  expect(tables.length).toBeGreaterThan(5);
  expect(tables.filter(({ name }) => !rows[0]?.text.includes(`delete from ${name} `))).toEqual([]);
});
