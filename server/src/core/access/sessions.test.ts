import { sessions as endpoints } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { createSessions } from './sessions.ts';

const world = await createWorld();
const sessions = createSessions(world.context.scopes, world.context.config);
const stopListening = sessions.listen(world.url);
afterAll(stopListening);

const untilHeard = () => eventually(() => expect(sessions.accessVersion()).toBeDefined());

const isKnown = async ({ token }: Person) => (await sessions.resolve(token, '127.0.0.1', true)) !== undefined;

/** Revokes sessions as another server would: this server learns it only from the database. */
const revokeElsewhere = (person: Person) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('sessions')
      .set({ revoked_at: sql`now()` })
      .execute(),
  );

test('a session that another server ended is refused on this server', async () => {
  await untilHeard();
  const person = await world.signIn();
  const before = await isKnown(person);
  const version = sessions.accessVersion();

  await revokeElsewhere(person);
  await eventually(() => expect(sessions.accessVersion()).not.toBe(version));

  expect([before, await isKnown(person)]).toEqual([true, false]);
});

test('a change of roles applies to a cached session', async () => {
  await untilHeard();
  const person = await world.signIn('RADIOLOGIST');
  await isKnown(person);
  const version = sessions.accessVersion();

  await world.inTenant(person.tenant, ({ db }) => db.deleteFrom('user_roles').execute());
  await eventually(() => expect(sessions.accessVersion()).not.toBe(version));

  expect((await sessions.resolve(person.token, '127.0.0.1', true))?.roles).toEqual([]);
});

test('while the connection that announces changes is lost, the server caches no sessions and reconnects', async () => {
  await untilHeard();
  const person = await world.signIn();
  const before = await isKnown(person);

  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen session_changed'`.execute(world.owner);
  await eventually(() => expect(sessions.accessVersion()).toBeUndefined());
  await revokeElsewhere(person);

  expect([before, await isKnown(person)]).toEqual([true, false]);
  await untilHeard();
});

test('does not cache a session that changed during its lookup', async () => {
  await untilHeard();
  const person = await world.signIn();

  const looking = isKnown(person);
  sessions.forget();
  await looking;
  await sql`alter table sessions disable trigger sessions_changed`.execute(world.owner);
  await revokeElsewhere(person);
  await sql`alter table sessions enable trigger sessions_changed`.execute(world.owner);

  expect(await isKnown(person)).toBe(false);
});

test('signing out ends the session of a user who visits another tenant', async () => {
  const superAdmin = await world.signIn('SUPER_ADMIN');
  const other = await world.newTenant();

  await superAdmin.send(endpoints.logout, { headers: { 'x-tenantid': other.subdomain } });

  expect(await superAdmin.send(studies.list)).toMatchObject({ status: 401 });
});

test('a change of study access does not drop cached sessions', async () => {
  await untilHeard();
  const person = await world.signIn('REFERRING_PHYSICIAN');
  const study = await world.inTenant(person.tenant, (scope) => addStudy(scope));
  const [access, session] = [sessions.accessVersion(), sessions.sessionVersion()];

  await world.inTenant(person.tenant, ({ db }) =>
    db
      .insertInto('study_participants')
      .values({ study_id: study.id, user_id: person.userId, role: 'ASSIGNEE' })
      .execute(),
  );
  await eventually(() => expect(sessions.accessVersion()).not.toBe(access));

  expect(sessions.sessionVersion()).toBe(session);
});
