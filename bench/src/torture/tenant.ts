import { join } from 'node:path';
import { sql } from 'kysely';
import { kyselyOn, openOwnerPool, openServingPool } from '../../../server/src/core/database/database.ts';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import { hashPassword } from '../../../server/src/core/access/passwords.ts';
import { systemSession } from '../../../server/src/core/access/scope.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { createSessions } from '../../../server/src/core/access/sessions.ts';
import { createTenant } from '../../../server/src/identity/tenants/service.ts';
import { createUser } from '../../../server/src/identity/user-records/create-user.ts';

/** Signing some time after signing in requires this password. */
export const password = 'a password of the torture';

/** Creates a tenant with one user while the server runs, and signs the user in. Returns the token. */
export const signInUser = async (folder: string): Promise<string> => {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
  const url = postgres.url('postgres');
  const [owning, serving] = [openOwnerPool(url), openServingPool(url, 2)];
  const scopes = openScopes(kyselyOn(serving));
  const sessions = createSessions(scopes, { sessionIdleMinutes: 1440, sessionHours: 168 });
  const tenant = await createTenant(kyselyOn(owning), {
    name: 'Torture',
    subdomain: 'torture',
    isReviewRequired: false,
  });
  const passwordHash = await hashPassword(password);
  const token = await scopes.inTenant(systemSession(tenant), async (scope) => {
    const userId = await createUser(scope, {
      username: 'radiologist',
      name: 'Dr Torture',
      email: 'torture@example.org',
      userType: 'RADIOLOGIST',
      passwordHash,
    });
    const session = await sessions.begin(scope.db, userId, { address: '127.0.0.1', userAgent: 'torture' });
    // Old enough that the first signature requires the password, as in longer runs.
    await scope.db
      .updateTable('sessions')
      .set({ authenticated_at: sql`now() - interval '1 hour'` })
      .execute();
    return session;
  });
  await owning.end();
  await serving.end();
  await postgres.stop();
  return token;
};
