import { type SavedView, savedViews } from '@radwork/contract/imaging/saved-views';
import { expect, test } from 'vitest';
import { receiveEvents, listeningTo } from '#test/listen-live.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const listen = listeningTo(world);

const create = async ({ send }: Person, name: string, more: object = {}): Promise<SavedView> =>
  (await send(savedViews.create, { body: { name, search: { where: 'modality.is:CT' }, ...more } })).data;

const seenBy = async ({ send }: Person) => (await send(savedViews.list)).data;
const namesSeenBy = async (person: Person) => (await seenBy(person)).map(({ name }) => name);

test('a reader has own views, which other users cannot see, change, move, choose or delete', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const admin = await world.signIn('ADMIN', reader.tenant);

  const created = await create(reader, 'CT');
  const params = { id: created.id };
  const body = { name: 'Mine', search: {}, revision: 1 };
  const answers = await Promise.all(
    [colleague, admin].flatMap(({ send }) => [
      send(savedViews.update, { params, body }),
      send(savedViews.move, { params, body: { at: 0 } }),
      send(savedViews.setDefault, { params, body: { isDefault: true } }),
      send(savedViews.remove, { params }),
    ]),
  );

  expect(created).toMatchObject({ name: 'CT', owner: 'USER', isDefault: false, updatedBy: reader.session.name });
  expect(await seenBy(reader)).toEqual([created]);
  expect(await seenBy(colleague)).toEqual([]);
  expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 404));
});

test('only users who manage the configuration save views of the organization, and every reader may open with one', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const shared = await create(admin, 'Emergency', { owner: 'ORGANIZATION' });
  const params = { id: shared.id };

  const refused = await Promise.all([
    reader.send(savedViews.create, { body: { name: 'Ours', search: {}, owner: 'ORGANIZATION' } }),
    reader.send(savedViews.update, { params, body: { name: 'Ours', search: {}, revision: 1 } }),
    reader.send(savedViews.move, { params, body: { at: 0 } }),
    reader.send(savedViews.remove, { params }),
  ]);
  const chosen = await reader.send(savedViews.setDefault, { params, body: { isDefault: true } });

  expect(refused.map(({ code }) => code)).toEqual([403, 403, 403, 403]);
  expect(chosen.data).toEqual([{ ...shared, isDefault: true }]);
  expect(await seenBy(admin)).toEqual([shared]);
});

test('a user has one default view, and can clear it', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const first = await create(reader, 'First', { isDefault: true });
  const second = await create(reader, 'Second', { isDefault: true });
  const defaults = async () => (await seenBy(reader)).filter(({ isDefault }) => isDefault).map(({ name }) => name);

  expect(first.isDefault).toBe(true);
  expect(await defaults()).toEqual(['Second']);
  await reader.send(savedViews.setDefault, { params: { id: second.id }, body: { isDefault: false } });
  expect(await defaults()).toEqual([]);
});

test('keeps the order of the views when one is moved, deleted and created again at its place', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const admin = await world.signIn('ADMIN', reader.tenant);
  await create(admin, 'Organization', { owner: 'ORGANIZATION' });
  for (const name of ['A', 'B', 'C']) await create(reader, name);
  const params = { id: (await seenBy(reader)).find(({ name }) => name === 'C')?.id ?? '' };

  await reader.send(savedViews.move, { params, body: { at: 0 } });
  expect(await namesSeenBy(reader)).toEqual(['C', 'A', 'B', 'Organization']);
  await reader.send(savedViews.remove, { params });
  await create(reader, 'C', { at: 1 });

  expect(await namesSeenBy(reader)).toEqual(['A', 'C', 'B', 'Organization']);
});

test('refuses a change of a view from an older revision, and names the user who changed it', async () => {
  const admin = await world.signIn('ADMIN');
  const other = await world.signIn('ADMIN', admin.tenant);
  const { id } = await create(admin, 'Night', { owner: 'ORGANIZATION' });
  const body = { name: 'Night shift', search: { view: 'UNASSIGNED' }, revision: 1 };

  const changed = await other.send(savedViews.update, { params: { id }, body });
  const late = await admin.send(savedViews.update, { params: { id }, body });

  expect(changed.data).toMatchObject({ name: 'Night shift', search: { view: 'UNASSIGNED' }, revision: 2 });
  expect(late).toMatchObject({
    code: 409,
    message: `${other.session.name} changed the view. Open it again to see the change.`,
  });
});

test.each([
  ['a view without a name', { name: ' ', search: {} }, 'Name is required'],
  ['a long name', { name: 'x'.repeat(61), search: {} }, 'The name is longer than 60 characters'],
  ['an invalid condition', { name: 'X', search: { where: 'size.is:4' } }, 'The filter "size.is:4" is not valid'],
])('refuses %s', async (_, body, message) => {
  const reader = await world.signIn('RADIOLOGIST');

  const reply = await reader.send(savedViews.create, { body });

  expect(reply.code).toBe(422);
  expect(reply.message).toContain(message);
});

test('refuses more views than a user can have', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  for (let number = 0; number < 40; number += 1) await create(reader, `View ${number}`);

  const reply = await reader.send(savedViews.create, { body: { name: 'One more', search: {} } });

  expect(reply).toMatchObject({ code: 409, message: 'There are already 40 saved views. Delete one first.' });
});

test('counts the studies of each view that the caller may see', async () => {
  const admin = await world.signIn('ADMIN');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', admin.tenant);
  await world.inTenant(admin.tenant, async (scope) => {
    await addStudy(scope, { seriesModalities: ['CT'], status: 'PENDING' });
    await addStudy(scope, { seriesModalities: ['CT'], status: 'ARCHIVED' });
    await addStudy(scope, { seriesModalities: ['MR'], status: 'PENDING' });
  });
  const ct = await create(admin, 'CT', { owner: 'ORGANIZATION' });
  const notCt = await create(admin, 'Not CT', {
    owner: 'ORGANIZATION',
    search: { where: 'modality.isNot:CT', view: 'PENDING', sort: 'urgency,desc' },
  });

  const counts = await admin.send(savedViews.counts);
  const ofReferrer = await referrer.send(savedViews.counts);

  expect(counts.data).toEqual([
    { id: ct.id, total: 2, isMore: false },
    { id: notCt.id, total: 1, isMore: false },
  ]);
  expect(ofReferrer.data.map(({ total }) => total)).toEqual([0, 0]);
});

test('announces a change of an own view to its owner, and of a shared view to all users', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const admin = await world.signIn('ADMIN', reader.tenant);
  const [atReader, atAdmin] = [await listen(reader), await listen(admin)];

  await create(reader, 'Mine');
  expect(await receiveEvents(atReader)).toEqual([{ kind: 'saved-views' }]);
  await create(admin, 'Ours', { owner: 'ORGANIZATION' });

  expect(await receiveEvents(atReader, 2)).toHaveLength(2);
  expect(await receiveEvents(atAdmin)).toEqual([{ kind: 'saved-views' }]);
});
