import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kyselyOn, openServingPool } from './core/database/database.ts';
import { emit } from './core/events/emit.ts';
import { type Extensions, listenersOf, noExtensions } from './core/events/extensions.ts';
import { createScopes, type Scope } from './core/access/scope.ts';
import { createWorld } from '#test/world.ts';
import { extensions } from './extensions.ts';
import { studyRows } from './imaging/studies/study-rows.ts';
import { setStatus } from './identity/users/change-user.ts';

const world = await createWorld();
const pool = openServingPool(world.url, 2);
afterAll(() => pool.end());

const scopesWith = (added: Extensions<Scope>) => createScopes(kyselyOn(pool), added);

test('the server registers the expected listeners for each event and replaces every placeholder', () => {
  const registered = Object.entries(extensions.listeners).map(([event, listeners]) => [event, Object.keys(listeners)]);
  const refusing = Object.values(noExtensions.listeners).flatMap((listeners) => Object.values(listeners));

  expect(Object.fromEntries(registered)).toEqual(listenersOf);
  for (const listeners of Object.values(extensions.listeners)) {
    for (const listener of Object.values(listeners)) expect(refusing).not.toContain(listener);
  }
});

test('each database scope of the server has the registered listeners', async () => {
  const { inScope } = await world.signIn('RADIOLOGIST');

  expect(await inScope(async (scope) => scope.extensions)).toBe(extensions);
});

test('database scopes are opened without listeners only in files that use no feature', () => {
  const source = resolve(import.meta.dirname, './');
  const opening = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      /\bcreateScopes\(/.test(readFileSync(join(source, file), 'utf8')),
  );

  expect(opening.toSorted()).toEqual(['backup/note-restore.ts', 'extensions.ts']);
});

test('a listener that fails rolls back the change before it', async () => {
  const administrator = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', administrator.tenant);
  const failing: Extensions<Scope> = {
    ...extensions,
    listeners: {
      ...extensions.listeners,
      'user.rightsChanged': { endAssignments: () => Promise.reject(new Error('The listener failed')) },
    },
  };

  await expect(
    scopesWith(failing).inTenant(administrator.session, (scope) =>
      setStatus(scope, world.context, reader.userId, false),
    ),
  ).rejects.toThrow('The listener failed');

  const stored = await world.inTenant(administrator.tenant, ({ db }) =>
    db.selectFrom('users').select('is_active').where('id', '=', reader.userId).executeTakeFirstOrThrow(),
  );
  expect(stored.is_active).toBe(true);
});

test('listeners run one after another, in the declared order and in the transaction of the event', async () => {
  const { session } = await world.signIn('RADIOLOGIST');
  const steps: string[] = [];
  const noting = (name: string) => async (scope: Scope) => {
    steps.push(`${name} begins`);
    await scope.db.selectFrom('users').select('id').execute();
    steps.push(`${name} ends`);
  };
  const recording: Extensions<Scope> = {
    ...extensions,
    listeners: {
      ...extensions.listeners,
      'study.filedElsewhere': {
        replaceStoredReports: noting('replaceStoredReports'),
        restartFindings: noting('restartFindings'),
        reviewFollowUps: noting('reviewFollowUps'),
        reviseReports: noting('reviseReports'),
        splitLesions: noting('splitLesions'),
      },
    },
  };

  await scopesWith(recording).inTenant(session, (scope) =>
    emit(scope, 'study.filedElsewhere', { studyIds: [], patientIds: ['', ''], isSamePerson: false }),
  );

  expect(steps).toEqual(
    ['reviseReports', 'restartFindings', 'replaceStoredReports', 'reviewFollowUps', 'splitLesions'].flatMap((name) => [
      `${name} begins`,
      `${name} ends`,
    ]),
  );
});

test('without listeners, announcing an event fails, and so does reading study rows', async () => {
  const { session } = await world.signIn('RADIOLOGIST');
  const bare = createScopes(kyselyOn(pool));

  await expect(
    bare.inTenant(session, (scope) =>
      emit(scope, 'study.filedElsewhere', { studyIds: [], patientIds: ['', ''], isSamePerson: false }),
    ),
  ).rejects.toThrow('Nothing is registered for study.filedElsewhere');
  await expect(
    bare.inTenant(session, (scope) => studyRows(scope, ['01990000-0000-7000-8000-000000000000'])),
  ).rejects.toThrow('Nothing is registered for readingBy');
});
