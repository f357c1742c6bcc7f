import type { account as endpoints, AccountSession } from '@radwork/contract/identity/accounts';
import type { Body } from '@radwork/contract/core/endpoint';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { notFound } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { deviceNameOf } from './device-name.ts';
import { atHome } from '#identity/credentials/own-user.ts';

type Parts = Pick<Context, 'config' | 'scopes' | 'sessions'>;

/** Lists the sessions of the caller: the current session first, then the most recently used. */
export const listSessions = ({ config, scopes }: Parts, caller: Session): Promise<AccountSession[]> =>
  scopes.inTenant(atHome(caller), async (scope) => {
    const rows = await validSessions(scope, config)
      .select(['id', 'user_agent', 'address', 'created_at', 'last_seen_at'])
      .orderBy(sql`id = ${caller.id}`, 'desc')
      .orderBy('last_seen_at', 'desc')
      .limit(200)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      device: deviceNameOf(row.user_agent),
      address: row.address,
      since: row.created_at,
      lastSeenAt: row.id === caller.id ? null : row.last_seen_at,
      isCurrent: row.id === caller.id,
    }));
  });

const validSessions = ({ db, session }: Scope, { sessionIdleMinutes }: Parts['config']) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', session.userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where('last_seen_at', '>', sql<string>`now() - make_interval(mins => ${sessionIdleMinutes})`);

/**
 * Ends one session of the caller. The next call with that session is refused. Throws 404 for the session of another
 * user.
 */
export const endSession = ({ scopes, sessions }: Parts, caller: Session, id: string): Promise<void> =>
  scopes.inTenant(atHome(caller), async (scope) => {
    const ended = await scope.db
      .updateTable('sessions')
      .set({ revoked_at: sql`now()` })
      .where('id', '=', id)
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (ended.numUpdatedRows === 0n) throw notFound('session');
    scope.afterCommit(() => sessions.forget());
    await audit(scope, 'session.end', { entity: 'session', entityId: id });
  });

/** Ends all sessions of the caller, or all except the current session. */
export const endSessions = (
  { scopes, sessions }: Parts,
  caller: Session,
  { which }: Body<typeof endpoints.endSessions>,
): Promise<{ ended: number }> =>
  scopes.inTenant(atHome(caller), async (scope) => {
    const ended = await sessions.endAllOf(scope, caller.userId, which === 'OTHERS' ? caller.id : undefined);
    await audit(scope, 'session.end_all', { entity: 'user', entityId: caller.userId, detail: { which, ended } });
    return { ended };
  });
