import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { limitToNewGroup } from '#test/limited-user.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { notifyOverdue } from './notify-overdue.ts';

const world = await createWorld();
const { scopes } = world.context;

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Assigns a new study that is due in `dueInMinutes`. */
const assign = (assigner: Person, assignee: Person, dueInMinutes: number, status: 'ACTIVE' | 'COMPLETED' = 'ACTIVE') =>
  world.inTenant(assigner.tenant, async (scope) => {
    const study = await addStudy(scope, { description: 'Chest' });
    const assignment = { study_id: study.id, user_id: assignee.userId, assigned_by: assigner.userId };
    await scope.db
      .insertInto('study_assignments')
      .values({ id: newId(), ...assignment, due_at: minutesFromNow(dueInMinutes), status })
      .execute();
    return study.id;
  });

const fail = (error: unknown) => {
  throw error;
};

const noticesOf = async ({ userId }: Person) =>
  world.owner
    .selectFrom('notifications')
    .select(['type', 'title', 'message', 'link'])
    .where('user_id', '=', userId)
    .execute();

const pair = async () => {
  const assigner = await world.signIn('ADMIN');
  return { assigner, assignee: await world.signIn('RADIOLOGIST', assigner.tenant) };
};

test('notifies assignee and assigner once when an assignment becomes overdue', async () => {
  const { assigner, assignee } = await pair();
  const studyId = await assign(assigner, assignee, -1);

  await notifyOverdue(scopes, fail);
  await notifyOverdue(scopes, fail);

  const notice = { type: 'OVERDUE', message: 'CT · Chest', link: `/studies/${studyId}` };
  expect(await noticesOf(assignee)).toEqual([{ ...notice, title: 'A study assigned to you is overdue' }]);
  expect(await noticesOf(assigner)).toEqual([{ ...notice, title: 'A study assigned by you is overdue' }]);
});

test('notifies only once a user who assigned a study to themselves', async () => {
  const { assigner } = await pair();
  await assign(assigner, assigner, -1);

  await notifyOverdue(scopes, fail);

  expect(await noticesOf(assigner)).toHaveLength(1);
});

test('servers that run at the same moment send one notification for each overdue assignment', async () => {
  const { assigner, assignee } = await pair();
  for (let count = 0; count < 120; count += 1) await assign(assigner, assignee, -1);

  await Promise.all([notifyOverdue(scopes, fail), notifyOverdue(scopes, fail), notifyOverdue(scopes, fail)]);
  await notifyOverdue(scopes, fail);

  const links = (await noticesOf(assignee)).map(({ link }) => link);
  expect([links.length, new Set(links).size]).toEqual([120, 120]);
});

test('skips assignments that are completed or not yet due, and those of deleted studies until a restore', async () => {
  const { assigner, assignee } = await pair();
  await assign(assigner, assignee, 5);
  await assign(assigner, assignee, -5, 'COMPLETED');
  const deleted = await assign(assigner, assignee, -5);
  const setDeleted = (deletedAt: string | null) =>
    world.owner.updateTable('studies').set({ deleted_at: deletedAt }).where('id', '=', deleted).execute();
  await setDeleted(minutesFromNow(-1));

  await notifyOverdue(scopes, fail);
  const before = await noticesOf(assignee);
  await setDeleted(null);
  await notifyOverdue(scopes, fail);

  expect(before).toEqual([]);
  expect(await noticesOf(assignee)).toMatchObject([{ link: `/studies/${deleted}` }]);
});

test('retries a failed overdue notification at the next run', async () => {
  const { assigner, assignee } = await pair();
  await assign(assigner, assignee, -1);
  await world.sql`alter table notifications add constraint broken check (type <> 'OVERDUE') not valid`.execute(
    world.owner,
  );

  const errors: unknown[] = [];
  await notifyOverdue(scopes, (error) => errors.push(error));
  await world.sql`alter table notifications drop constraint broken`.execute(world.owner);
  await notifyOverdue(scopes, fail);

  expect(errors).toMatchObject([{ message: expect.stringContaining('broken') }]);
  expect(await noticesOf(assignee)).toHaveLength(1);
});

test('a user whose groups hide the study gets neither a notification nor an e-mail', async () => {
  const { assigner, assignee } = await pair();
  const studyId = await assign(assigner, assignee, -1);
  await limitToNewGroup(world, assignee);
  await world.inTenant(assigner.tenant, ({ db }) =>
    db
      .insertInto('outreach_choices')
      .values(
        [assigner, assignee].map(({ userId }) => ({
          user_id: userId,
          topic: 'OVERDUE' as const,
          channel: 'MAIL' as const,
          is_wanted: true,
        })),
      )
      .execute(),
  );

  await notifyOverdue(scopes, fail);

  const messages = await world.owner
    .selectFrom('outbound_messages')
    .select('user_id')
    .where('link', '=', `/studies/${studyId}`)
    .execute();
  expect([await noticesOf(assignee), messages]).toEqual([[], [{ user_id: assigner.userId }]]);
});
