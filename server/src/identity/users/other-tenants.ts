import { t } from '@radwork/contract/core/translate';
import { refuseRights } from '@radwork/contract/identity/user-rights';
import type { CreatedUser } from '@radwork/contract/identity/users';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { conflict, forbidden, notFound } from '#core/http/problem.ts';
import { mayVisit, type Scope, type Scopes, type Session } from '#core/access/scope.ts';
import type { MailContext } from '#identity/credentials/notify-owner.ts';
import { visiting } from '#identity/tenants/administer-tenants.ts';
import { knownTenant } from '#identity/tenants/known-tenants.ts';
import { create, deleteUser, hasRecords } from './create-user.ts';
import {
  assertNot,
  beginManaging,
  withRemainingAdministrator,
  toManaged,
} from '#identity/user-records/assert-manageable.ts';
import { userById } from '#identity/user-records/user-rows.ts';

/**
 * Returns the session of the caller in an organization. A super administrator may name any organization, and the visit
 * is audited there. Other callers may name only their own. Throws 404 for a forbidden organization, as for an unknown
 * one.
 */
const sessionIn = (scopes: Scopes, session: Session, id: string): Promise<Session> =>
  scopes.inTenant(session, async (scope) => {
    const { public_id } = await scope.db.selectFrom('tenants').select('public_id').executeTakeFirstOrThrow();
    if (public_id === id) return session;
    if (!mayVisit(session)) throw notFound('organization');
    const { number } = await knownTenant(scope, id);
    const visit = visiting(session, number);
    await scopes.inTenant(visit, (inside) =>
      audit(inside, 'tenant.enter', { entity: 'session', entityId: session.id }),
    );
    return visit;
  });

/** Runs work in the organization with an id. */
export const inTenantOf = async <T>(
  scopes: Scopes,
  session: Session,
  id: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T> => scopes.inTenant(await sessionIn(scopes, session, id), work);

/**
 * Adds a user to the organization with an id. Without an id, adds the user to the current organization. Throws 409 if
 * the organization is suspended.
 */
export const addingIn = async <T>(
  scopes: Scopes,
  session: Session,
  id: string | undefined,
  add: (scope: Scope) => Promise<T>,
): Promise<T> => {
  if (id === undefined) return scopes.inTenant(session, add);
  return inTenantOf(scopes, session, id, async (scope) => {
    await refuseSuspended(scope);
    return add(scope);
  });
};

/** Refuses a suspended organization, because its users cannot sign in and its invitations do not work. */
const refuseSuspended = async ({ db }: Scope): Promise<void> => {
  const { suspended_at } = await db.selectFrom('tenants').select('suspended_at').executeTakeFirstOrThrow();
  if (suspended_at === null) return;
  throw conflict('tenant.suspended', t`This organization is suspended. Resume it first.`);
};

/**
 * Moves a user without records to another tenant, with the role of the user's type and a new invitation. Throws 409 if
 * the user has records in this tenant.
 */
export const move = (
  { scopes, ...context }: MailContext & { scopes: Scopes },
  session: Session,
  id: string,
  tenantId: string,
): Promise<CreatedUser> =>
  scopes.inTenant(session, async (scope) => {
    if (session.userType !== 'SUPER_ADMIN') throw forbidden();
    await oneMoveAtATime(scope);
    const manager = await beginManaging(scope, 'tenant.manage');
    const known = await userById(scope, id);
    assertNot(refuseRights(manager, toManaged(known)));
    const target = await sessionIn(scopes, session, tenantId);
    if (target.tenantId === session.tenantId) throw conflict('user.there', t`The user is already in this organization`);
    if (await hasRecords(scope, known)) throw keptHere();
    await withRemainingAdministrator(scope, () => deleteUser(scope, id));
    await audit(scope, 'user.leave', { entity: 'user', entityId: id, detail: { tenantId } });
    const { username, name, email, user_type, specialization, department, credentials, is_active } = known;
    // The user is created in the other tenant before the transaction in this tenant commits. If the creation fails, the
    // user stays in this tenant.
    return scopes.inTenant(target, async (elsewhere) => {
      await refuseSuspended(elsewhere);
      return create(elsewhere, context, {
        username,
        name,
        email,
        userType: user_type,
        specialization,
        department,
        credentials,
        active: is_active,
        isInvited: true,
      });
    });
  });

/**
 * Lets only one move run at a time. A move changes users in this tenant and, in a second transaction, in the other
 * tenant. Two moves in opposite directions would wait for each other, and the database could not detect that deadlock.
 */
const oneMoveAtATime = ({ db }: Scope) =>
  sql`select pg_advisory_xact_lock(hashtext('users between organisations'), 0)`.execute(db);

const keptHere = () =>
  conflict(
    'user.has_records',
    t`This user has records here and cannot be moved. Deactivate the user here and create a user in the other organization.`,
  );
