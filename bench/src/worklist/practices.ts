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

/** A practice with a signed-in user. */
export type OpenPractice = Practice & { token: string };

const radiologists = 20;
const studiesOfSmall = 1000;

/** Creates one practice of `studies` studies, and `tenants` small practices, in a migrated database. */
export const makePractices = async (
  url: string,
  owner: pg.Client,
  sizes: { studies: number; tenants: number },
): Promise<{ large: OpenPractice; small: OpenPractice }> => {
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
      const device = { address: '127.0.0.1', userAgent: 'bench' };
      return { tenantId, studies, userIds, token: await sessions.begin(scope.db, userIds[0] ?? '', device) };
    });
  };
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
    return { large, small };
  } finally {
    await owning.end();
    await serving.end();
  }
};
