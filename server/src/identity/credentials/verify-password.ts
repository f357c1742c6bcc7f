import type { SecondFactorState } from '@radwork/contract/identity/sessions';
import { type Kysely, sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { BasicCredentials } from '#core/http/caller.ts';
import type { Schema } from '#core/database/database.ts';
import { passwordMatches } from '#core/access/passwords.ts';
import { type Scopes, systemSession } from '#core/access/scope.ts';
import { refusePassword } from './password-rule.ts';
import { attemptAt, countedAttempt, WrongAttempt } from './sign-in-limits.ts';

const wrongPassword = () => new WrongAttempt(401, 'session.missing', 'Invalid username or password');

/** The account of a sign-in: an active user of an active tenant. */
export type Login = {
  tenant_id: number;
  user_id: string;
  password_hash: string | null;
  second_factor: SecondFactorState;
};

/** Checks the second factor before a right password resets failures. Throws a Problem. */
export type SecondStep = (login: Login) => Promise<void>;

/**
 * Returns the only user with this name, in any Unicode form. Without a tenant, the name must be unique, because a guess
 * could open the wrong tenant.
 */
export const findLogin = async (
  scopes: Scopes,
  { subdomain, username }: Pick<BasicCredentials, 'subdomain' | 'username'>,
): Promise<Login | undefined> => {
  const forms = [...new Set([username, username.normalize('NFC')])];
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Login>`select found.* from unnest(${forms}::text[]) asked
               cross join find_login(${subdomain ?? null}, asked) found`.execute(db),
  );
  return rows.length === 1 ? rows[0] : undefined;
};

/**
 * Returns the user with a name and a password. Unknown name, wrong password and ambiguous name get the same 401 after
 * the same time. Too many attempts get 429 (sign-in-limits.ts).
 */
export const verifyPassword = (
  scopes: Scopes,
  credentials: BasicCredentials,
  secondStep?: SecondStep,
): Promise<Login> =>
  countedAttempt(scopes, attemptAt(credentials, credentials.address), {
    onTooMany: async () => noteRefusal(scopes, 'session.lock', credentials, await findLogin(scopes, credentials)),
    work: async () => {
      const user = await compare(scopes, credentials);
      await refusePassword(scopes, user);
      await secondStep?.(user);
      return user;
    },
  });

/** Compares the password. Each refusal takes the same time, with the same statements and the same hash. */
const compare = async (scopes: Scopes, credentials: BasicCredentials): Promise<Login> => {
  const user = await findLogin(scopes, credentials);
  if ((await passwordMatches(user?.password_hash ?? undefined, credentials.password)) && user) return user;
  await noteRefusal(scopes, 'session.refuse', credentials, user);
  throw wrongPassword();
};

/** Replaces an unknown name in the audit log, because the user may have typed a password there by mistake. */
const unknownName = 'unknown name';

/**
 * Audits a refusal. The caller may not be this user, so the entry names the account but no actor. For an unknown name,
 * the entry belongs to the organization of the sign-in page, or else to the one that runs the installation. Known and
 * unknown names need the same statements, so the time does not reveal which names exist.
 */
const noteRefusal = async (
  scopes: Scopes,
  action: 'session.refuse' | 'session.lock',
  { subdomain, username, address }: BasicCredentials,
  user: Login | undefined,
): Promise<void> => {
  const tenantOfPage = await tenantOfSignIn(scopes, subdomain);
  const tenantId = user?.tenant_id ?? tenantOfPage;
  if (tenantId === undefined) return;
  const by = { ...systemSession(tenantId, address), username: user ? username : unknownName };
  const detail = user && { userId: user.user_id };
  await scopes.inTenant(by, (scope) =>
    audit(scope, action, { entity: 'session', outcome: 'FAILURE', ...(detail && { detail }) }),
  );
};

const tenantOfSignIn = async (scopes: Scopes, subdomain: string | undefined): Promise<number | undefined> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ id: number | null }>`select tenant_of_sign_in(${subdomain ?? null}) as id`.execute(db),
  );
  return rows[0]?.id ?? undefined;
};

/**
 * Stores the time of the last sign-in. Throws 401 when the password was changed in the meantime. The change ended all
 * sessions, so this sign-in must not begin another session.
 */
export const auditLogin = async (
  db: Kysely<Schema>,
  { user_id, password_hash }: Pick<Login, 'user_id'> & Partial<Login>,
): Promise<void> => {
  const noted = await db
    .updateTable('users')
    .set({ last_login_at: sql`now()` })
    .where('id', '=', user_id)
    .$if(password_hash !== undefined, (users) => users.where('password_hash', '=', password_hash ?? ''))
    .executeTakeFirst();
  if (noted.numUpdatedRows === 0n) throw wrongPassword();
};
