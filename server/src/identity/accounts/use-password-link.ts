import { sentence, t } from '@radwork/contract/core/translate';
import type { passwordLinks as endpoints } from '@radwork/contract/identity/accounts';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { orNotFound, Problem } from '#core/http/problem.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { hashOfToken } from '#core/access/sessions.ts';
import type { PasswordLinkPurpose } from '#identity/credentials/password-links.ts';
import { liftByMailedLink } from '#identity/signing-holds/end-hold.ts';
import { assertPasswordAllowed } from '#identity/credentials/password-rules.ts';
import { notifyOwner } from '#identity/credentials/notify-owner.ts';

type Parts = Pick<Context, 'config' | 'scopes' | 'sessions' | 'vault'>;
type Link = { tenant_id: number; id: string; user_id: string; purpose: PasswordLinkPurpose };

/** The error for every link that is unknown, used, replaced or expired, always the same. */
const gone = () =>
  new Problem(404, 'password_link.not_found', t`This link was used, replaced or has expired. Request a new link.`);

const findLink = async (scopes: Scopes, token: string): Promise<Link> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Link>`select * from find_password_link(${hashOfToken(token)})`.execute(db),
  );
  if (!rows[0]) throw gone();
  return rows[0];
};

const ownerOf = async ({ db }: Scope, userId: string) =>
  orNotFound(
    await db
      .selectFrom('users')
      .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
      .select(['username', 'users.name', 'email', 'tenants.name as tenantName', 'subdomain'])
      .where('users.id', '=', userId)
      .executeTakeFirst(),
    'user',
  );

/** Returns the account of a password link. */
export const checkPasswordLink = async (
  { scopes }: Pick<Parts, 'scopes'>,
  { token }: Body<typeof endpoints.check>,
): Promise<Reply<typeof endpoints.check>> => {
  const { tenant_id, user_id, purpose } = await findLink(scopes, token);
  const { username, tenantName } = await scopes.inTenant(systemSession(tenant_id), (scope) => ownerOf(scope, user_id));
  return { username, organization: tenantName, purpose };
};

/**
 * Sets the password of the user of a link. If two calls use the link at the same moment, one succeeds. Ends all
 * sessions of the user. The second factor stays, and is required at the next sign-in.
 */
export const usePasswordLink = async (
  context: Parts,
  { token, password }: Body<typeof endpoints.use>,
  address: string,
): Promise<Reply<typeof endpoints.use>> => {
  const { scopes, sessions } = context;
  const { tenant_id, id, user_id, purpose } = await findLink(scopes, token);
  const system = systemSession(tenant_id, address);
  const owner = await scopes.inTenant(system, (scope) => ownerOf(scope, user_id));
  await assertPasswordAllowed(password, owner, context.config);
  const passwordHash = await hashPassword(password);
  await scopes.inTenant({ ...system, username: owner.username }, async (scope) => {
    const { db } = scope;
    const used = await db
      .updateTable('password_links')
      .set({ used_at: sql`now()` })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', sql<string>`now()`)
      .returning(['sent_to', 'created_at'])
      .executeTakeFirst();
    if (!used) throw gone();
    await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user_id).execute();
    const ended = await sessions.endAllOf(scope, user_id);
    await audit(scope, 'password.set', { entity: 'user', entityId: user_id, detail: { purpose, ended } });
    await liftByMailedLink(scope, context, user_id, used);
    await notifyOwner(scope, context, user_id, {
      title: sentence`Your password was set`,
      message: sentence`It was set with a password link. All your sessions were signed out.`,
    });
  });
  return { username: owner.username, subdomain: owner.subdomain };
};
