import { sql } from 'kysely';
import type { Context } from '#core/context.ts';
import type { Database } from '#core/database.ts';
import { hashPassword } from '#core/passwords.ts';
import { type Scope, systemSession } from '#core/scope.ts';
import { createTenant } from '#features/tenants/service.ts';
import { createUser } from '#features/users/service.ts';
import { randomPassword } from './demo-password.ts';
import { type DemoTenant, type DemoUser, demoTenants } from './people.ts';

/**
 * Fills an empty installation with two tenants to try it on, and says how to sign in. What a crash left
 * unfinished is finished at the next start; a finished demo is left as its users have made it.
 */
export const loadDemo = async (context: Context, owner: Database, say: (text: string) => void): Promise<void> => {
  const isNew = await alone(owner, async () => {
    if (await tenantId(owner, 'demo')) return undefined;
    const password = context.config.demoPassword ?? randomPassword();
    const passwordHash = await hashPassword(password);
    for (const tenant of demoTenants) await fill(context, owner, tenant, passwordHash);
    await open(owner);
    return password;
  });
  say(signIns(isNew ?? 'the password that the first start printed, or DEMO_PASSWORD of that start'));
};

/** Two servers that start at once fill the demo once. */
const alone = <T>(owner: Database, work: () => Promise<T>): Promise<T> =>
  owner.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtext('radwork-demo'))`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(hashtext('radwork-demo'))`.execute(connection);
    }
  });

const tenantId = async (owner: Database, subdomain: string): Promise<number | undefined> => {
  const tenant = await owner.selectFrom('tenants').select('id').where('subdomain', '=', subdomain).executeTakeFirst();
  return tenant?.id;
};

/** Until everything is in, a tenant goes by another name: what exists under its own name is complete. */
const unfinished = (subdomain: string) => `${subdomain}-unfinished`;

const fill = async ({ scopes }: Context, owner: Database, tenant: DemoTenant, passwordHash: string) => {
  const subdomain = unfinished(tenant.subdomain);
  const id =
    (await tenantId(owner, subdomain)) ??
    (await createTenant(owner, { name: tenant.name, subdomain, isReviewRequired: false }));
  await scopes.inTenant(systemSession(id), async (scope) => {
    for (const user of tenant.users) await enrol(scope, user, passwordHash);
  });
};

/** A user whom an unfinished start has already made gets the password that this start prints. */
const enrol = async (scope: Scope, user: DemoUser, passwordHash: string) => {
  const known = await scope.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('username', '=', user.username)
    .returning('id')
    .executeTakeFirst();
  if (!known) await createUser(scope, { ...user, email: `${user.username}@example.org`, passwordHash });
};

const open = (owner: Database) =>
  owner.transaction().execute(async (db) => {
    for (const { subdomain } of demoTenants) {
      await db.updateTable('tenants').set({ subdomain }).where('subdomain', '=', unfinished(subdomain)).execute();
    }
  });

const signIns = (password: string): string =>
  [
    'Sign in with one of these:',
    ...demoTenants.flatMap(({ name, users }) => [
      `  ${name}`,
      ...users.map((user) => `    ${user.username.padEnd(18)} ${user.userType}`),
    ]),
    `Password of all: ${password}`,
  ].join('\n');
