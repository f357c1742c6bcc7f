import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { createWorld } from '#test/world.ts';
import { announce } from './announce.ts';
import { createLive, type Live } from './live.ts';
import { type Scopes, type Session, systemSession } from '#core/access/scope.ts';

const world = await createWorld();

test('a listening browser gets a heartbeat every twenty seconds until it leaves', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const written: string[] = [];
  const session = systemSession(1);
  const remove = world.context.live.add({
    session,
    tokenHash: Buffer.alloc(32),
    write: (text) => written.push(text.toString()),
    end: () => {},
  });

  vi.advanceTimersByTime(45_000);
  remove();
  vi.advanceTimersByTime(45_000);

  expect(written).toEqual([':\n\n', ':\n\n', ':\n\n']);
});

/** Records the kinds of events that a session receives from now on. */
const listenAs = (live: Live, session: Session): string[] => {
  const kinds: string[] = [];
  const write = (text: Buffer) => kinds.push(...(/"kind":"(\w+)"/.exec(text.toString())?.slice(1) ?? []));
  onTestFinished(live.add({ session, tokenHash: Buffer.alloc(32), write, end: () => {} }));
  return kinds;
};

const listenTo = (live: Live) => onTestFinished(live.listen(world.url));

test('a browser that connected before the database channel opened reloads everything once the channel opens', async () => {
  const live = createLive(world.context.scopes, world.context.sessions);
  const kinds = listenAs(live, systemSession(1));

  listenTo(live);

  await eventually(() => expect(kinds).toEqual(['everything']));
});

test('if the access of a restricted user cannot be checked, the browser of the user reloads everything', async () => {
  const physician = await world.signIn('REFERRING_PHYSICIAN');
  const reading: Scopes['reading'] = () => Promise.reject(new Error('No connection is free'));
  const live = createLive({ ...world.context.scopes, reading }, world.context.sessions);
  const first = listenAs(live, systemSession(physician.tenant.id));
  listenTo(live);
  await eventually(() => expect(first).toEqual(['everything']));
  const kinds = await physician.inScope(async ({ session }) => listenAs(live, session));

  await world.inTenant(physician.tenant, (scope) => announce(scope, { kind: 'study', studyId: 'any' }));

  await eventually(() => expect(kinds).toEqual(['everything']));
});
