import { sessions } from '@radwork/contract/sessions';
import { expect, test } from 'vitest';
import { heard, listeningTo } from '#test/listen-live.ts';
import { createWorld } from '#test/world.ts';
import { announce } from './announce.ts';

const world = await createWorld();
const listen = listeningTo(world);

test('who visits another tenant hears from it for as long as their session holds, and has entered it once', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const member = await world.signIn();
  const { tenant } = member;
  const visiting = await listen(visitor, { headers: { 'x-tenantid': tenant.subdomain } });
  const leaving = await listen(member);

  // When somebody leaves, all who listen are looked up.
  await member.send(sessions.logout);
  await leaving.ended;
  await world.inTenant(tenant, (scope) => announce(scope, { kind: 'everything' }));

  expect(await heard(visiting)).toEqual([{ kind: 'everything' }]);
  const entries = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('username').where('action', '=', 'tenant.enter').execute(),
  );
  expect(entries).toEqual([{ username: visitor.username }]);
});
