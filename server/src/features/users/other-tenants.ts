import { refuseRights } from '@radwork/contract/user-rights';
import type { MadeUser } from '@radwork/contract/users';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import { conflict, forbidden, notFound } from '#core/problem.ts';
import { mayVisit, type Scope, type Scopes, type Session } from '#core/scope.ts';
import type { Ways } from '#features/accounts/tell-owner.ts';
import { visiting } from '#features/tenants/administer.ts';
import { knownTenant } from '#features/tenants/known-tenants.ts';
import { create, deleteUser, hasRecords } from './make-user.ts';
import { assertNot, beginManaging, keepingAnAdministrator, managed } from './managing.ts';
import { userById } from './user-rows.ts';

/**
 * The caller in the organisation of an id: their own, or as a super administrator any, which is written down there.
 * Throws a 404 for one that is not theirs to enter, as for one that there is not.
 */
const sessionIn = (scopes: Scopes, session: Session, id: string): Promise<Session> =>
  scopes.inTenant(session, async (scope) => {
    const { public_id } = await scope.db.selectFrom('tenants').select('public_id').executeTakeFirstOrThrow();
    if (public_id === id) return session;
    if (!mayVisit(session)) throw notFound('organisation');
    const { number } = await knownTenant(scope, id);
    const there = visiting(session, number);
    await scopes.inTenant(there, (inside) =>
      audit(inside, 'tenant.enter', { entity: 'session', entityId: session.id }),
    );
    return there;
  });

/** Works in the organisation of an id. */
export const inTenantOf = async <T>(
  scopes: Scopes,
  session: Session,
  id: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T> => scopes.inTenant(await sessionIn(scopes, session, id), work);

/** Adds somebody in the organisation of an id, or without one in that which the caller is in. Throws a 409 while it is suspended. */
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

/** Nobody could sign in there, and the link that invites them would not work. */
const refuseSuspended = async ({ db }: Scope): Promise<void> => {
  const { suspended_at } = await db.selectFrom('tenants').select('suspended_at').executeTakeFirstOrThrow();
  if (suspended_at === null) return;
  throw conflict('tenant.suspended', 'This organisation is suspended. Resume it first, then add its users.');
};

/**
 * Moves a user of whom there are no records to another tenant, where they have the role of their type and a new
 * invitation. Throws a 409 for any other: what they did stays where they did it, under their name.
 */
export const move = (
  { scopes, ...ways }: Ways & { scopes: Scopes },
  session: Session,
  id: string,
  tenantId: string,
): Promise<MadeUser> =>
  scopes.inTenant(session, async (scope) => {
    if (session.userType !== 'SUPER_ADMIN') throw forbidden();
    await oneMoveAtATime(scope);
    const manager = await beginManaging(scope, 'tenant.manage');
    const known = await userById(scope, id);
    assertNot(refuseRights(manager, managed(known)));
    const there = await sessionIn(scopes, session, tenantId);
    if (there.tenantId === session.tenantId) throw conflict('user.there', 'They are in this organisation already');
    if (await hasRecords(scope, known)) throw keptHere();
    await keepingAnAdministrator(scope, () => deleteUser(scope, id));
    await audit(scope, 'user.leave', { entity: 'user', entityId: id, detail: { tenantId } });
    const { username, name, email, user_type, specialization, department, credentials, is_active } = known;
    // Made there before this is committed: should that fail, they stay here.
    return scopes.inTenant(there, async (elsewhere) => {
      await refuseSuspended(elsewhere);
      return create(elsewhere, ways, {
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
 * Who moves somebody changes users here and, in a transaction of its own, there. Of two who moved people across, each would
 * wait for the other, and the database does not see it: two transactions of ours belong together.
 */
const oneMoveAtATime = ({ db }: Scope) =>
  sql`select pg_advisory_xact_lock(hashtext('users between organisations'), 0)`.execute(db);

const keptHere = () =>
  conflict(
    'user.has_records',
    'There are records of this user here, which stay under their name. Deactivate them here and create them in the other organisation.',
  );
