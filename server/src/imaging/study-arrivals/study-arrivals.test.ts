import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, test } from 'vitest';
import { kyselyOn, openServingPool } from '#core/database/database.ts';
import { createScopes, type Scope } from '#core/access/scope.ts';
import { image, related } from '#test/multipart-upload.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { extensions } from '../../extensions.ts';
import { announceArrivals } from './announce-arrivals.ts';

const world = await createWorld();
const pool = openServingPool(world.url, 4);
afterAll(() => pool.end());

/** Scopes whose arrivals are collected. `listen` runs before that; an arrival for which it fails is not collected. */
const collecting = (listen: (studyId: string) => Promise<void> = async () => {}) => {
  const announced: string[] = [];
  const assignByRules = async (_scope: Scope, { studyId }: { studyId: string }) => {
    await listen(studyId);
    announced.push(studyId);
  };
  const listeners = { ...extensions.listeners, 'study.arrived': { assignByRules } };
  return { announced, scopes: createScopes(kyselyOn(pool), { ...extensions, listeners }) };
};

const unexpected = (error: unknown) => {
  throw error;
};

const waiting = async ({ tenant }: Person) => {
  const rows = await world.inTenant(tenant, ({ db }) => db.selectFrom('study_arrivals').select('study_id').execute());
  return rows.map(({ study_id }) => study_id).toSorted();
};

const upload = async (person: Person, elements = {}) => {
  const uid = newUid();
  await person.request({
    method: 'POST',
    url: '/api/stow-rs/studies',
    ...related(image({ StudyInstanceUID: uid, ...elements }).bytes),
  });
  const { id } = await world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('studies').select('id').where('study_instance_uid', '=', uid).executeTakeFirstOrThrow(),
  );
  return { id, uid };
};

/** Only the studies of this test: other tests of this file share the database. */
const among = (announced: readonly string[], ...ids: string[]) => announced.filter((id) => ids.includes(id));

test('a study is announced when its images have not changed for the quiet period', async () => {
  const sender = await world.signIn('RADIOLOGIST');
  const { id } = await upload(sender);
  const { announced, scopes } = collecting();

  await announceArrivals(scopes, 3600, unexpected);
  const early = among(announced, id);
  await announceArrivals(scopes, 0, unexpected);
  await announceArrivals(scopes, 0, unexpected);

  expect([early, among(announced, id)]).toEqual([[], [id]]);
  expect(await waiting(sender)).toEqual([]);
});

test.each<[string, (scope: Scope, id: string) => Promise<unknown>, boolean]>([
  [
    'its priority',
    ({ db }, id) => db.updateTable('studies').set({ priority: 'STAT' }).where('id', '=', id).execute(),
    true,
  ],
  [
    'its groups',
    ({ db }, id) =>
      db
        .updateTable('studies')
        .set({ group_ids: [id] })
        .where('id', '=', id)
        .execute(),
    true,
  ],
  [
    'its clinical history',
    ({ db }, id) => db.updateTable('studies').set({ clinical_history: 'x' }).where('id', '=', id).execute(),
    false,
  ],
])('a change of %s announces the study again only if rules judge it', async (_, change, isAnnounced) => {
  const sender = await world.signIn('RADIOLOGIST');
  const { id } = await world.inTenant(sender.tenant, (scope) => addStudy(scope));

  await world.inTenant(sender.tenant, (scope) => change(scope, id));

  expect(await waiting(sender)).toEqual(isAnnounced ? [id] : []);
});

test('a study whose listener fails is announced later, and does not delay other studies', async () => {
  const sender = await world.signIn('RADIOLOGIST');
  const [first, second] = [await upload(sender), await upload(sender)];
  const errors: unknown[] = [];
  const failing = collecting(async (id) => {
    if (id === first.id) throw new Error('The listener failed');
  });

  await announceArrivals(failing.scopes, 0, (error) => errors.push(error));
  const left = await waiting(sender);
  const { announced, scopes } = collecting();
  await announceArrivals(scopes, 0, unexpected);

  expect(among(failing.announced, first.id, second.id)).toEqual([second.id]);
  expect([left, among(announced, first.id, second.id)]).toEqual([[first.id], [first.id]]);
  expect(errors).not.toEqual([]);
});

test('a STAT study is announced before studies that arrived earlier', async () => {
  const sender = await world.signIn('RADIOLOGIST');
  const [early, stat] = [await upload(sender), await upload(sender)];
  await world.inTenant(sender.tenant, ({ db }) =>
    db.updateTable('studies').set({ priority: 'STAT' }).where('id', '=', stat.id).execute(),
  );
  const { announced, scopes } = collecting();

  await announceArrivals(scopes, 0, unexpected);

  expect(among(announced, early.id, stat.id)).toEqual([stat.id, early.id]);
});

test('while a server announces studies of a tenant, another server leaves them to it', async () => {
  const sender = await world.signIn('RADIOLOGIST');
  const ids = [(await upload(sender)).id, (await upload(sender)).id];
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const first = collecting(async (id) => {
    if (!ids.includes(id)) return;
    begun.resolve();
    await released.promise;
  });
  const second = collecting();

  const running = announceArrivals(first.scopes, 0, unexpected);
  await begun.promise;
  await announceArrivals(second.scopes, 0, unexpected);
  const meanwhile = among(second.announced, ...ids);
  released.resolve();
  await running;

  expect([meanwhile, among(first.announced, ...ids)]).toEqual([[], ids]);
  expect(await waiting(sender)).toEqual([]);
});
