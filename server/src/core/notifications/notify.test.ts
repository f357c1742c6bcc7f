import { literal, sentence } from '@radwork/contract/core/translate';
import pg from 'pg';
import { expect, test } from 'vitest';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { newId } from '#core/values/ids.ts';
import { aboutStudy, type Notice, notify } from './notify.ts';

const world = await createWorld();

const notice: Omit<Notice, 'to'> = {
  type: 'ASSIGNMENT',
  title: sentence`A study was assigned to you`,
  message: literal('CT'),
  link: '/studies',
};

const sendNotice = (actor: Person, to: readonly Person[], more: Partial<Notice> = {}) =>
  actor.inScope((scope) => notify(scope, { ...notice, to: to.map(({ userId }) => userId), ...more }));

const inbox = async ({ tenant, userId }: Person) =>
  world.inTenant(tenant, ({ db }) =>
    db
      .selectFrom('notifications')
      .select(['type', 'title', 'message', 'link', 'seen_at'])
      .where('user_id', '=', userId)
      .execute(),
  );

const unwant = ({ tenant, userId }: Person, type: 'ASSIGNMENT') =>
  world.inTenant(tenant, ({ db }) =>
    db.insertInto('unwanted_notifications').values({ user_id: userId, type }).execute(),
  );

test('each recipient gets one notification, even if the caller names the recipient twice', async () => {
  const actor = await world.signIn();
  const [one, other] = [await world.signIn('RADIOLOGIST', actor.tenant), await world.signIn('ADMIN', actor.tenant)];

  await sendNotice(actor, [one, other, one]);

  expect(await inbox(one)).toEqual([
    { type: 'ASSIGNMENT', title: 'A study was assigned to you', message: 'CT', link: '/studies', seen_at: null },
  ]);
  expect(await inbox(other)).toHaveLength(1);
});

test('does not notify the user who caused the event unless the notification requests this', async () => {
  const actor = await world.signIn();

  await sendNotice(actor, [actor]);
  const notices = await inbox(actor);
  await sendNotice(actor, [actor], { isForActorToo: true });

  expect(notices).toEqual([]);
  expect(await inbox(actor)).toHaveLength(1);
});

test('does not notify users who are inactive, unknown or of another tenant', async () => {
  const actor = await world.signIn();
  const gone = await world.signIn('RADIOLOGIST', actor.tenant);
  const stranger = await world.signIn();
  await world.inTenant(actor.tenant, ({ db }) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', gone.userId).execute(),
  );

  await sendNotice(actor, [gone, stranger, { ...stranger, userId: newId() }]);

  expect([await inbox(gone), await inbox(stranger)]).toEqual([[], []]);
});

test('a user who turned off a notification type gets none of this type, while other users do', async () => {
  const actor = await world.signIn();
  const [quiet, other] = [await world.signIn('ADMIN', actor.tenant), await world.signIn('ADMIN', actor.tenant)];
  await unwant(quiet, 'ASSIGNMENT');

  await sendNotice(actor, [quiet, other]);
  await sendNotice(actor, [quiet], { type: 'STUDY_STATUS' });

  expect((await inbox(quiet)).map(({ type }) => type)).toEqual(['STUDY_STATUS']);
  expect(await inbox(other)).toHaveLength(1);
});

test('the database refuses to turn off notifications of critical findings', async () => {
  const person = await world.signIn();

  const turnedOff = world.inTenant(person.tenant, ({ db }) =>
    world.sql`insert into unwanted_notifications (user_id, type) values (${person.userId}, 'CRITICAL_FINDING')`.execute(
      db,
    ),
  );

  await expect(turnedOff).rejects.toThrow(/check constraint/);
});

test('an action that is rolled back notifies no user', async () => {
  const actor = await world.signIn();
  const other = await world.signIn('RADIOLOGIST', actor.tenant);

  const failed = actor.inScope(async (scope) => {
    await notify(scope, { ...notice, to: [other.userId] });
    throw new Error('It did not happen');
  });

  await expect(failed).rejects.toThrow('It did not happen');
  expect(await inbox(other)).toEqual([]);
});

test('the browsers of all recipients get an event, even for a large number of recipients', async () => {
  const actor = await world.signIn();
  const { rows } = await world.inTenant(actor.tenant, ({ db }) =>
    world.sql<{ id: string }>`
      insert into users (id, username, name, email, user_type, password_hash)
      select gen_random_uuid(), 'user' || n, 'User', '', 'RADIOLOGIST', '' from generate_series(1, 400) n
      returning id`.execute(db),
  );
  const listener = new pg.Client(world.url);
  const recipientIds: string[] = [];
  const last = Promise.withResolvers<void>();
  await listener.connect();
  listener.on('notification', ({ payload = '' }) => {
    recipientIds.push(...JSON.parse(payload).to);
    if (recipientIds.length === rows.length) last.resolve();
  });
  await listener.query('listen live');

  await sendNotice(actor, [], { to: rows.map(({ id }) => id) });
  await last.promise;
  await listener.end();

  expect(recipientIds.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

test.each([
  ['Chest with contrast', 'CT · Chest with contrast'],
  ['CT Chest', 'CT Chest'],
  ['', 'CT'],
])(
  'the notification of a study "%s" says "%s", links to the study and does not name the patient',
  async (description, message) => {
    const actor = await world.signIn();

    const about = await actor.inScope(async (scope) => {
      const { id } = await addStudy(scope, {
        description,
        patient: { patient_name: 'Roe^Richard' },
      });
      return { id, notice: await aboutStudy(scope, id) };
    });

    expect(about.notice).toEqual({ message: literal(message), link: `/studies/${about.id}`, studyId: about.id });
  },
);
