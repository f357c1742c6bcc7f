import { sql } from 'kysely';
import type { Context } from '#core/context.ts';
import type { Database } from '#core/database/database.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { orNotFound } from '#core/http/problem.ts';
import { type Scope, type Session, systemSession } from '#core/access/scope.ts';
import { createTenant } from '#identity/tenants/service.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { randomPassword } from './demo-password.ts';
import { demoStudies } from './demo-studies.ts';
import { type DemoTenant, type DemoUser, demoTenants } from './demo-users.ts';
import { storeStudy } from './store-study.ts';
import { writeLibrary } from './write-library.ts';
import { writePaperwork } from './write-study-records.ts';
import { writeTemplates } from './write-templates.ts';

/**
 * Loads two demo tenants into an empty installation and prints how to sign in. After a crash, the next start completes
 * the rest. A complete demo is not changed.
 */
export const loadDemo = async (context: Context, owner: Database, say: (text: string) => void): Promise<void> => {
  const newPassword = await alone(owner, async () => {
    if (await tenantNamed(owner, demoTenants[0].subdomain)) return undefined;
    say('Preparing the demo. This takes a few seconds, once.');
    for (const tenant of demoTenants) await fill(context, owner, tenant);
    const password = context.config.demoPassword ?? randomPassword();
    await open(owner, await hashPassword(password));
    return password;
  });
  say(signIns(newPassword ?? 'as printed by the first start, or its DEMO_PASSWORD'));
};

/** Takes a lock, so that only one of two servers that start at once loads the demo. */
const alone = <T>(owner: Database, work: () => Promise<T>): Promise<T> =>
  owner.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtext('radwork-demo'))`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(hashtext('radwork-demo'))`.execute(connection);
    }
  });

const tenantNamed = (owner: Database, subdomain: string) =>
  owner.selectFrom('tenants').select(['id', 'created_at']).where('subdomain', '=', subdomain).executeTakeFirst();

/** The subdomain of a tenant until the tenant is complete. A tenant with its final subdomain is complete. */
const unfinished = (subdomain: string) => `${subdomain}-unfinished`;

/** Gives all tenants their final subdomains, and all users their password, in one transaction. */
const open = (owner: Database, passwordHash: string) =>
  owner.transaction().execute(async (db) => {
    for (const { subdomain } of demoTenants) {
      const { id } = await db
        .updateTable('tenants')
        .set({ subdomain })
        .where('subdomain', '=', unfinished(subdomain))
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.updateTable('users').set({ password_hash: passwordHash }).where('tenant_id', '=', id).execute();
    }
  });

const fill = async (context: Context, owner: Database, tenant: DemoTenant) => {
  const { scopes, sessions } = context;
  const { id, created_at } = await unfinishedTenant(owner, tenant);
  const passwordHash = await hashPassword(crypto.randomUUID());
  await scopes.inTenant(systemSession(id), async (scope) => {
    for (const user of tenant.users) await enroll(scope, user, passwordHash);
  });
  const people = await everybodyIn(context, id);
  const sender = orNotFound(people.get(tenant.uploader), 'user');
  for (const [index, study] of demoStudies[tenant.subdomain].entries()) {
    const place = { subdomain: tenant.subdomain, number: index + 1, today: new Date(created_at) };
    const uid = await storeStudy(context, sender, study, place);
    await scopes.inTenant(sender, (scope) => writePaperwork(scope, people, study, uid));
  }
  await scopes.inTenant(sender, (scope) => writeTemplates(scope, [...people.values()]));
  if (tenant.subdomain === 'demo') await writeLibrary(context, orNotFound(people.get('radiologist'), 'user'));
  for (const session of people.values()) await scopes.inTenant(session, sessions.end);
};

const unfinishedTenant = async (owner: Database, { name, subdomain }: DemoTenant) => {
  const known = await tenantNamed(owner, unfinished(subdomain));
  if (!known) {
    const rules = { isReviewRequired: false, isLinkCodeRequired: false };
    await createTenant(owner, { name, subdomain: unfinished(subdomain), ...rules });
  }
  return known ?? orNotFound(await tenantNamed(owner, unfinished(subdomain)), 'tenant');
};

/** Creates a user whose password is discarded. No user can sign in before the demo is complete. */
const enroll = async (scope: Scope, user: DemoUser, passwordHash: string) => {
  const known = await scope.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', user.username)
    .executeTakeFirst();
  if (!known) await createUser(scope, { ...user, email: `${user.username}@example.org`, passwordHash });
};

/** Opens a session for each demo user, so that each act has the rights and the name of its user. */
const everybodyIn = async ({ scopes, sessions }: Context, tenantId: number): Promise<Map<string, Session>> => {
  const device = { address: '127.0.0.1', userAgent: 'Radwork demo' };
  const tokens = await scopes.inTenant(systemSession(tenantId), async ({ db }) => {
    const users = await db.selectFrom('users').select('id').execute();
    return Promise.all(users.map(({ id }) => sessions.begin(db, id, device)));
  });
  const all = await Promise.all(tokens.map((token) => sessions.resolve(token, device.address, false)));
  return new Map(all.flatMap((session) => (session ? [[session.username, session]] : [])));
};

const signIns = (password: string): string =>
  [
    'Sign in as one of these users:',
    ...demoTenants.flatMap(({ name, users }) => [
      `  ${name}`,
      ...users.map((user) => `    ${user.username.padEnd(18)} ${user.userType}`),
    ]),
    `Password of all users: ${password}`,
  ].join('\n');
