import { literal, sentence } from '@radwork/contract/core/translate';
import {
  type NotificationType,
  notifications as endpoints,
  optionalNotificationTypes,
} from '@radwork/contract/identity/notifications';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { orNotFound } from '#core/http/problem.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { deleteOldNotifications } from './forget-notifications.ts';

const world = await createWorld();

/** Adds notifications from a colleague to the inbox of a user, one after another. */
const addNotifications = async (person: Person, titles: readonly string[], type: NotificationType = 'ASSIGNMENT') => {
  for (const title of titles) {
    await world.inTenant(person.tenant, (scope) =>
      notify(scope, {
        to: [person.userId],
        type,
        title: literal(title),
        message: literal('CT · Chest'),
        link: '/studies',
      }),
    );
    // Makes earlier notifications older, so that their order does not depend on the resolution of the clock.
    await world.owner
      .updateTable('notifications')
      .set({ created_at: world.sql`created_at - interval '1 second'` })
      .where('user_id', '=', person.userId)
      .execute();
  }
};

const inbox = async (person: Person, query = {}) => (await person.send(endpoints.list, { query })).data;

const titlesIn = async (person: Person, query = {}) => (await inbox(person, query)).content.map(({ title }) => title);

const changeAll = (person: Person, set: { seen_at: string } | { removed_at: string }) =>
  world.owner
    .updateTable('notifications')
    .set({ ...set, ...('removed_at' in set && { removal_id: newId() }) })
    .where('user_id', '=', person.userId)
    .execute();

test('the inbox lists ten notifications per page, newest first, with the total', async () => {
  const person = await world.signIn();
  await addNotifications(
    person,
    Array.from({ length: 12 }, (_, number) => `Notice ${number}`),
  );

  const first = await inbox(person);
  const second = await titlesIn(person, { page: 1 });
  const oldestFirst = await titlesIn(person, { sort: 'createdAt,asc', size: 2 });

  expect(first).toMatchObject({ totalElements: 12, totalPages: 2, number: 0, size: 10 });
  expect(first.content[0]).toEqual({
    id: expect.any(String),
    type: 'ASSIGNMENT',
    title: 'Notice 11',
    message: 'CT · Chest',
    link: '/studies',
    study: null,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    seen: false,
  });
  expect(second).toEqual(['Notice 1', 'Notice 0']);
  expect(oldestFirst).toEqual(['Notice 0', 'Notice 1']);
});

test('a page of size one gives the total of unread notifications for the badge', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['Seen', 'Unread', 'Unread too']);
  const firstId = (await inbox(person, { sort: 'createdAt,asc' })).content[0]?.id ?? '';

  await person.send(endpoints.markRead, { params: { id: firstId } });

  expect(await inbox(person, { size: 1, filter: 'unread' })).toMatchObject({ totalElements: 2, content: [{}] });
});

test('the response has its fields at the top level and in the envelope', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['A notice']);

  const answer = await person.request({ method: 'GET', url: '/api/notifications?size=1&filter=unread' });

  const body = answer.json();
  expect([body.totalElements, body.data.totalElements]).toEqual([1, 1]);
});

test('a notification remains read once it is marked as read', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['A notice']);
  const [notice] = (await inbox(person)).content;
  const params = { id: notice?.id ?? '' };

  await person.send(endpoints.markRead, { params });
  const again = await person.send(endpoints.markRead, { params });

  expect(again.status).toBe(200);
  expect((await inbox(person)).content).toEqual([{ ...notice, seen: true }]);
});

test('marking all notifications as read returns plain text, or JSON on request', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['One', 'Two']);
  const mark = (accept: string) =>
    person.request({ method: 'PUT', url: '/api/notifications/mark-all-read', headers: { accept } });

  const plain = await mark('*/*');
  const json = await mark('application/json');

  expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(plain.body).toBe('All notifications marked as read');
  expect(json.json()).toEqual({ code: 200, message: 'OK', data: 'All notifications marked as read' });
  expect(await titlesIn(person, { filter: 'unread' })).toEqual([]);
});

test('marking or clearing all notifications skips those that arrived after the inbox was shown', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['Shown', 'Came later']);
  const [, latest] = (await inbox(person)).content;
  const query = { until: latest?.createdAt ?? '' };

  await person.send(endpoints.markAllRead, { query, headers: { accept: 'application/json' } });
  const unread = await titlesIn(person, { filter: 'unread' });
  await person.send(endpoints.clearAll, { query });

  expect(unread).toEqual(['Came later']);
  expect(await titlesIn(person)).toEqual(['Came later']);
});

test('an undo of a deletion restores the notification unchanged', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['Stays', 'Goes']);
  const before = await inbox(person);

  const removal = await person.send(endpoints.remove, { params: { id: before.content[0]?.id ?? '' } });
  const without = await titlesIn(person);
  const restored = await person.send(endpoints.restore, { params: { id: removal.data.removalId } });

  expect(without).toEqual(['Stays']);
  expect(restored.data).toEqual({ restored: 1 });
  expect(await inbox(person)).toEqual(before);
});

test('clearing all notifications returns their count, and an undo restores only the notifications just cleared', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['Deleted before', 'One', 'Two']);
  const oldest = (await inbox(person, { sort: 'createdAt,asc' })).content[0]?.id ?? '';
  await person.send(endpoints.remove, { params: { id: oldest } });

  const cleared = await person.send(endpoints.clearAll);
  const remaining = await titlesIn(person);
  await person.send(endpoints.restore, { params: { id: cleared.data.removalId } });

  expect(cleared.data.removed).toBe(2);
  expect(remaining).toEqual([]);
  expect(await titlesIn(person)).toEqual(['Two', 'One']);
});

test('refuses to undo a deletion of notifications twice', async () => {
  const person = await world.signIn();
  await addNotifications(person, ['One']);
  const { data } = await person.send(endpoints.clearAll);
  await person.send(endpoints.restore, { params: { id: data.removalId } });

  const again = await person.send(endpoints.restore, { params: { id: data.removalId } });

  expect(again).toMatchObject({ status: 404, message: 'Removal not found' });
});

test("reading or deleting another user's notification gets the same answer as for an unknown notification", async () => {
  const owner = await world.signIn();
  const colleague = await world.signIn('ADMIN', owner.tenant);
  await addNotifications(owner, ['Removed', 'Not yours']);
  const [notice, removed] = (await inbox(owner)).content;
  const removal = await owner.send(endpoints.remove, { params: { id: removed?.id ?? '' } });
  const params = { id: notice?.id ?? '' };

  const answers = [
    await colleague.send(endpoints.markRead, { params }),
    await colleague.send(endpoints.remove, { params }),
    await colleague.send(endpoints.restore, { params: { id: removal.data.removalId } }),
  ];
  await colleague.send(endpoints.markAllRead, { headers: { accept: 'application/json' } });
  await colleague.send(endpoints.clearAll);

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await inbox(owner)).content).toEqual([notice]);
  expect(await titlesIn(colleague)).toEqual([]);
});

test("all notification types are on by default, and a user's choice is saved", async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('ADMIN', person.tenant);

  const before = await person.send(endpoints.preferences);
  await person.send(endpoints.savePreferences, { body: { unwanted: optionalNotificationTypes } });
  await person.send(endpoints.savePreferences, { body: { unwanted: ['IMPORT', 'MENTION'] } });
  await addNotifications(person, ['Import'], 'IMPORT');
  await addNotifications(person, ['Assignment'], 'ASSIGNMENT');

  expect(before.data).toEqual({ unwanted: [] });
  expect((await person.send(endpoints.preferences)).data).toEqual({ unwanted: ['IMPORT', 'MENTION'] });
  expect((await colleague.send(endpoints.preferences)).data).toEqual({ unwanted: [] });
  expect(await titlesIn(person)).toEqual(['Assignment']);
});

test('stores only one of several simultaneous saves of preferences, completely', async () => {
  const person = await world.signIn();
  const [first, second] = [['IMPORT', 'MENTION'], ['OVERDUE']] as const;

  const answers = await Promise.all(
    [first, second, first, second].map((unwanted) =>
      person.send(endpoints.savePreferences, { body: { unwanted: [...unwanted] } }),
    ),
  );

  const { data } = await person.send(endpoints.preferences);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect([first, second]).toContainEqual(data.unwanted);
});

test('notifications of critical findings cannot be turned off', async () => {
  const person = await world.signIn();

  const answer = await person.send(endpoints.savePreferences, { body: { unwanted: ['CRITICAL_FINDING'] } });

  expect(answer.status).toBe(422);
});

test('a visiting super administrator has no inbox and no preferences in the visited tenant', async () => {
  const tenant = await world.newTenant();
  const visitor = await world.signIn('SUPER_ADMIN');
  await addNotifications(visitor, ['At home']);
  const headers = { 'x-tenantid': tenant.subdomain };

  const list = await visitor.send(endpoints.list, { headers });
  const saved = await visitor.send(endpoints.savePreferences, { headers, body: { unwanted: ['IMPORT'] } });

  expect(list.data.content).toEqual([]);
  expect(saved.status).toBe(403);
});

test('deletes read notifications after 90 days and removed notifications after one day, but no unread ones', async () => {
  const [reader, tidy, away] = [await world.signIn(), await world.signIn(), await world.signIn()];
  for (const person of [reader, tidy, away]) await addNotifications(person, ['Old']);
  await changeAll(reader, { seen_at: daysAgo(91) });
  await changeAll(tidy, { removed_at: daysAgo(2) });
  await world.owner
    .updateTable('notifications')
    .set({ created_at: daysAgo(400) })
    .where('user_id', '=', away.userId)
    .execute();
  await addNotifications(reader, ['Read lately']);
  await reader.send(endpoints.markAllRead, { headers: { accept: 'application/json' } });

  await deleteOldNotifications(world.context.scopes);

  const { rows } = await world.sql<{ title: string }>`select title from notifications where user_id = any(${[
    reader.userId,
    tidy.userId,
    away.userId,
  ]}) order by title`.execute(world.owner);
  expect(rows.map(({ title }) => title)).toEqual(['Old', 'Read lately']);
  expect(await titlesIn(away)).toEqual(['Old']);
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test('shows patient and study only to readers who may see them now, and stores no name', async () => {
  const radiologist = await world.signIn();
  const { tenant } = radiologist;
  const [referrer, stranger] = await Promise.all([
    world.signIn('REFERRING_PHYSICIAN', tenant),
    world.signIn('REFERRING_PHYSICIAN', tenant),
  ]);
  const people = [radiologist, referrer, stranger];
  const studyId = await world.inTenant(tenant, async (scope) => {
    const { id } = await addStudy(scope, { patient: { patient_id: 'P-77', patient_name: 'Named^Nora' } });
    await scope.db
      .insertInto('study_participants')
      .values({ study_id: id, user_id: referrer.userId, role: 'SHARED' })
      .execute();
    const to = people.map(({ userId }) => userId);
    await notify(scope, {
      to,
      type: 'ASSIGNMENT',
      title: sentence`A study was assigned to you`,
      ...(await aboutStudy(scope, id)),
    });
    return id;
  });
  const studies = () => Promise.all(people.map(async (person) => (await inbox(person)).content[0]?.study));
  const namedStudy = { id: studyId, patientName: 'Named, Nora', patientId: 'P-77', studyDate: '2026-11-20T09:30:00' };

  const first = await studies();
  await world.inTenant(tenant, ({ db }) => db.deleteFrom('study_participants').execute());
  const afterwards = await studies();
  await world.inTenant(tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['report.view'] })
      .execute(),
  );
  const withoutPermission = await studies();
  await world.inTenant(tenant, async ({ db }) => {
    await db
      .updateTable('roles')
      .set({ permissions: ['study.view'] })
      .execute();
    await db.updateTable('studies').set({ deleted_at: '2026-11-20T09:30:00Z' }).execute();
  });
  const deleted = await studies();

  expect(first).toEqual([namedStudy, namedStudy, null]);
  expect(afterwards).toEqual([namedStudy, null, null]);
  expect([...withoutPermission, ...deleted]).toEqual([null, null, null, null, null, null]);
  const { rows } = await world.sql<{ row: string }>`
    select to_jsonb(n)::text as row from notifications n where tenant_id = ${tenant.id}`.execute(world.owner);
  expect(rows.map(({ row }) => row).join()).not.toMatch(/Named|Nora|P-77/);
});

test('the migration derives the study of a notification from its link to a study, chat or critical finding', async () => {
  const tenant = await fillTenant(world, 'UPGRADED');
  const person = orNotFound(tenant.people.get('RADIOLOGIST'), 'user');
  const links = [
    `/studies/${tenant.studyId}`,
    `/studies/${tenant.studyId}#chat`,
    `/critical-findings?findingId=${tenant.findingId}`,
    '/studies?view=UNASSIGNED',
    '/studies/deleted',
    null,
  ];
  await world.inTenant(tenant.tenant, async (scope) => {
    for (const [index, link] of links.entries()) {
      const notice = { type: 'ASSIGNMENT' as const, title: literal(`Old ${index}`), message: literal('') };
      await notify(scope, { to: [person.userId], ...notice, link });
    }
  });
  const migration = await readFile(resolve(import.meta.dirname, '../../../migrations/0093_sight.sql'), 'utf8');
  const [, derivation = ''] = migration.split('add column study_id uuid;');

  await world.sql.raw(derivation).execute(world.owner);

  const old = (await inbox(person, { size: 50 })).content.filter(({ title }) => title.startsWith('Old '));
  const byTitle = old.toSorted((one, other) => one.title.localeCompare(other.title));
  const [ofStudy, none] = [tenant.studyId, undefined];
  expect(byTitle.map(({ study }) => study?.id)).toEqual([ofStudy, ofStudy, ofStudy, none, none, none]);
});
