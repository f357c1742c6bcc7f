import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { createWorld } from '#test/world.ts';
import { announce } from './announce.ts';
import { createLive, type Live } from './live.ts';
import { type Scopes, type Session, systemSession } from './scope.ts';

const world = await createWorld();

test('a browser is told every twenty seconds that its stream stands, from when it came until it has gone', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const told: string[] = [];
  const session = systemSession(1);
  const remove = world.context.live.add({
    session,
    tokenHash: Buffer.alloc(32),
    write: (text) => told.push(text.toString()),
    end: () => {},
  });

  vi.advanceTimersByTime(45_000);
  remove();
  vi.advanceTimersByTime(45_000);

  expect(told).toEqual([':\n\n', ':\n\n', ':\n\n']);
});

/** What somebody is told from now on, by the kinds of the events. */
const listenAs = (live: Live, session: Session): string[] => {
  const told: string[] = [];
  const write = (text: Buffer) => told.push(...(/"kind":"(\w+)"/.exec(text.toString())?.slice(1) ?? []));
  onTestFinished(live.add({ session, tokenHash: Buffer.alloc(32), write, end: () => {} }));
  return told;
};

const hear = (live: Live) => onTestFinished(live.listen(world.url));

test('who came before the server heard the database asks for everything once it does', async () => {
  const live = createLive(world.context.scopes, world.context.sessions);
  const told = listenAs(live, systemSession(1));

  hear(live);

  await eventually(() => expect(told).toEqual(['everything']));
});

test('who is told only of what concerns them asks for everything when nobody can say what does', async () => {
  const physician = await world.signIn('REFERRING_PHYSICIAN');
  const reading: Scopes['reading'] = () => Promise.reject(new Error('No connection is free'));
  const live = createLive({ ...world.context.scopes, reading }, world.context.sessions);
  const first = listenAs(live, systemSession(physician.tenant.id));
  hear(live);
  await eventually(() => expect(first).toEqual(['everything']));
  const told = await physician.inScope(async ({ session }) => listenAs(live, session));

  await world.inTenant(physician.tenant, (scope) => announce(scope, { kind: 'study', studyId: 'any' }));

  await eventually(() => expect(told).toEqual(['everything']));
});
