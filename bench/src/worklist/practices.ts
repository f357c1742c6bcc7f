import type pg from 'pg';
import { kyselyOn, openOwnerPool, openServingPool } from '../../../server/src/core/database/database.ts';
import { systemSession } from '../../../server/src/core/access/scope.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { createSessions } from '../../../server/src/core/access/sessions.ts';
import { createTenant } from '../../../server/src/identity/tenants/service.ts';
import { createUser } from '../../../server/src/identity/user-records/create-user.ts';
import { savedViews } from '../../../contract/src/imaging/saved-views.ts';
import { create } from '../../../server/src/imaging/saved-views/service.ts';
import { savedSearches } from './cases.ts';
import { generate, type Practice } from './generate.ts';

/** A practice with a signed-in user, and the groups to which the user is limited. */
export type OpenPractice = Practice & { token: string; userId: string; limit?: readonly string[] };

const radiologists = 20;
const studiesOfSmall = 1000;
const device = { address: '127.0.0.1', userAgent: 'bench' };

/** Creates a group that limits its members. */
const createGroup = async (owner: pg.Client, tenantId: number, name: string): Promise<string> => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into groups (tenant_id, id, name, kind, is_limiting) values ($1, gen_random_uuid(), $2, 'SITE', true)
     returning id`,
    [tenantId, name],
  );
  return rows[0]?.id ?? '';
};

/** Creates one practice of `studies` studies, and `tenants` small practices, in a migrated database. */
export const makePractices = async (
  url: string,
  owner: pg.Client,
  sizes: { studies: number; tenants: number },
): Promise<{ large: OpenPractice; small: OpenPractice; ofLargeGroup: OpenPractice; ofSmallGroup: OpenPractice }> => {
  const [owning, serving] = [openOwnerPool(url), openServingPool(url, 2)];
  const scopes = openScopes(kyselyOn(serving));
  const sessions = createSessions(scopes, { sessionIdleMinutes: 1440, sessionHours: 168 });
  const open = async (name: string, studies: number): Promise<OpenPractice> => {
    const tenantId = await createTenant(kyselyOn(owning), { name, subdomain: name });
    return scopes.inTenant(systemSession(tenantId), async (scope) => {
      const userIds: string[] = [];
      for (let number = 0; number < radiologists; number += 1) {
        const username = `radiologist${number}`;
        const person = { username, name: `Dr ${number}`, email: `${username}@example.org` };
        const passwordHash = 'no password opens this account';
        userIds.push(await createUser(scope, { ...person, userType: 'RADIOLOGIST', passwordHash }));
      }
      const largeGroupId = await createGroup(owner, tenantId, 'Site North');
      const smallGroupId = await createGroup(owner, tenantId, 'Site South');
      const [userId = ''] = userIds;
      const token = await sessions.begin(scope.db, userId, device);
      return { tenantId, studies, userIds, largeGroupId, smallGroupId, userId, token };
    });
  };
  /** Signs in another radiologist of a practice, limited to a group. */
  const openLimited = (practice: OpenPractice, userId = '', groupId = ''): Promise<OpenPractice> =>
    scopes.inTenant(systemSession(practice.tenantId), async (scope) => {
      await owner.query('insert into group_members (tenant_id, group_id, user_id) values ($1, $2, $3)', [
        practice.tenantId,
        groupId,
        userId,
      ]);
      return { ...practice, userId, token: await sessions.begin(scope.db, userId, device), limit: [groupId] };
    });
  try {
    const large = await open('large', sizes.studies);
    await scopes.inTenant({ ...systemSession(large.tenantId), userId: large.userIds[0] ?? '' }, async (scope) => {
      for (const [number, search] of savedSearches.entries()) {
        const body = savedViews.create.body?.parse({ name: `View ${number}`, search });
        if (body) await create(scope, body);
      }
    });
    const small = await open('small', studiesOfSmall);
    const others = [small];
    while (others.length < sizes.tenants) others.push(await open(`small${others.length}`, studiesOfSmall));
    await generate(owner, [large, ...others]);
    const [ofLargeGroup, ofSmallGroup] = [
      await openLimited(large, large.userIds[1], large.largeGroupId),
      await openLimited(large, large.userIds[2], large.smallGroupId),
    ];
    return { large, small, ofLargeGroup, ofSmallGroup };
  } finally {
    await owning.end();
    await serving.end();
  }
};
