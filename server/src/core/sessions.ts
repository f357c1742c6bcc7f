import { hash, randomBytes } from 'node:crypto';
import type { Permission, UserType } from '@radwork/contract/access';
import type { SecondFactorState, SessionEnd } from '@radwork/contract/sessions';
import { type Kysely, sql } from 'kysely';
import type { Config } from './config.ts';
import { prepared, type Schema } from './database.ts';
import { keepDatabaseLine } from './database-line.ts';
import { newId } from './ids.ts';
import type { Scope, Scopes, Session } from './scope.ts';

type Row = {
  id: string;
  tenant_id: number;
  user_id: string;
  username: string;
  name: string;
  email: string;
  user_type: UserType;
  tenant_name: string;
  subdomain: string;
  time_zone: string;
  last_seen_at: string;
  expires_at: string;
  roles: { name: string; permissions: Permission[] }[];
  sees_all_studies: boolean;
  second_factor: SecondFactorState;
};

type Cached = { session: Session; checkedAt: number; lastSeenAt: number; expiresAt: number };

/** A session and when, in milliseconds, it ends by itself unless it is used or ended before. */
export type Standing = { session: Session; endsAt: number };

export type Device = { address: string; userAgent: string };

export type Sessions = ReturnType<typeof createSessions>;

/** A session is remembered this long without asking the database; a change of it empties the memory at once. */
const rememberedFor = 60_000;
const rememberedAtMost = 5000;
const touchedEvery = 60_000;

export const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * Opaque sessions: 256 random bits, of which the database keeps only the SHA-256. A session ends when it is
 * idle too long, at its age limit, at sign-out, and at once when the user is deactivated or the tenant suspended.
 * A change of the user's type or roles counts from the next call on.
 */
export const createSessions = (
  scopes: Scopes,
  { sessionIdleMinutes, sessionHours }: Pick<Config, 'sessionIdleMinutes' | 'sessionHours'>,
) => {
  const remembered = new Map<string, Cached>();
  let isListening = false;
  let sessionVersion = 0;
  let sightVersion = 0;
  const idleMs = sessionIdleMinutes * 60_000;

  const forget = () => {
    remembered.clear();
    sessionVersion += 1;
  };

  const forgetSight = () => {
    sightVersion += 1;
  };

  const recall = (key: string): Cached | undefined => {
    const cached = isListening ? remembered.get(key) : undefined;
    const now = Date.now();
    if (!cached || now - cached.checkedAt > rememberedFor) return undefined;
    return now < cached.expiresAt && now - cached.lastSeenAt < idleMs ? cached : undefined;
  };

  const remember = (key: string, cached: Cached) => {
    if (remembered.size >= rememberedAtMost) remembered.clear();
    remembered.set(key, cached);
  };

  const look = async (tokenHash: Buffer, address: string): Promise<Cached | undefined> => {
    const { rows } = await scopes.withoutTenant((db) =>
      sql<Row>`select found.*, do_referrers_see_all(found.tenant_id) as sees_all_studies
               from find_session(${tokenHash}, make_interval(mins => ${sessionIdleMinutes})) found${prepared}`.execute(
        db,
      ),
    );
    const [row] = rows;
    if (!row) return undefined;
    return {
      session: sessionOf(row, address),
      checkedAt: Date.now(),
      lastSeenAt: Date.parse(row.last_seen_at),
      expiresAt: Date.parse(row.expires_at),
    };
  };

  const touch = async (cached: Cached) => {
    cached.lastSeenAt = Date.now();
    await scopes.inTenant(cached.session, async ({ db }) => {
      // Everybody is seen once a minute. If a crash forgets the last time, nothing is lost that waiting for the disk is worth.
      await Promise.all([
        sql`select set_config('synchronous_commit', 'off', true)${prepared}`.execute(db),
        db
          .updateTable('sessions')
          .set({ last_seen_at: sql`now()` })
          .where('id', '=', cached.session.id)
          .modifyEnd(prepared)
          .execute(),
      ]);
    });
  };

  const resolveHash = async (tokenHash: Buffer, address: string, isPoll: boolean): Promise<Session | undefined> => {
    const key = tokenHash.toString('base64');
    const version = sessionVersion;
    const cached = recall(key) ?? (await look(tokenHash, address));
    if (!cached) {
      remembered.delete(key);
      return undefined;
    }
    // What was found while something changed may be what it was before the change.
    if (version === sessionVersion) remember(key, cached);
    if (!isPoll && Date.now() - cached.lastSeenAt > touchedEvery) await touch(cached);
    return { ...cached.session, address };
  };

  return {
    /**
     * Begins a session in the caller's transaction and hands out its token, which nobody can read again. Of somebody who
     * came by single sign-on no second factor of ours is asked; `shownAt` is when they showed there who they are.
     */
    begin: async (
      db: Kysely<Schema>,
      userId: string,
      { address, userAgent }: Device,
      { isSingleSignOn = false, shownAt = null }: { isSingleSignOn?: boolean; shownAt?: string | null } = {},
    ): Promise<string> => {
      const token = randomBytes(32).toString('base64url');
      await db
        .insertInto('sessions')
        .values({
          id: newId(),
          token_hash: hashOfToken(token),
          user_id: userId,
          expires_at: sql`now() + make_interval(hours => ${sessionHours})`,
          address,
          user_agent: userAgent.slice(0, 400),
          is_single_sign_on: isSingleSignOn,
          authenticated_at: sql`least(now(), ${shownAt}::timestamptz)`,
        })
        .execute();
      return token;
    },

    /** The session behind a token, or undefined. A poll looks without keeping the session awake. */
    resolve: (token: string, address: string, isPoll: boolean): Promise<Session | undefined> =>
      resolveHash(hashOfToken(token), address, isPoll),

    /** The same by the SHA-256 of the token, for what was signed here in the session's name. */
    resolveHash,

    /** Whether the session behind a token is known without asking the database. */
    isRemembered: (token: string): boolean => recall(hashOfToken(token).toString('base64')) !== undefined,

    /** Why there is no session behind a token any longer; undefined where there is nothing to say. */
    whyEnded: async (token: string): Promise<SessionEnd | undefined> => {
      const { rows } = await scopes.withoutTenant((db) =>
        sql<{ why: SessionEnd | null }>`select why_session_ended(${hashOfToken(token)}) as why`.execute(db),
      );
      return rows[0]?.why ?? undefined;
    },

    /** Those of these sessions that have not ended, by their tokens' SHA-256 in base64. All are looked up by one query. */
    standing: async (tokenHashes: readonly Buffer[]): Promise<Map<string, Standing>> => {
      const { rows } = await scopes.withoutTenant((db) =>
        sql<Row & { token_hash: Buffer }>`
          select asked.token_hash, found.*, do_referrers_see_all(found.tenant_id) as sees_all_studies from unnest(${tokenHashes}::bytea[]) asked (token_hash)
          cross join find_session(asked.token_hash, make_interval(mins => ${sessionIdleMinutes})) found`.execute(db),
      );
      return new Map(
        rows.map((row) => {
          const endsAt = Math.min(Date.parse(row.expires_at), Date.parse(row.last_seen_at) + idleMs);
          return [row.token_hash.toString('base64'), { session: sessionOf(row, ''), endsAt }];
        }),
      );
    },

    /** Those of these visits, by the tenant's number and name, that may go on: nobody stays in a suspended tenant. */
    openTenants: async (visited: readonly Pick<Session, 'tenantId' | 'subdomain'>[]): Promise<Set<number>> => {
      if (visited.length === 0) return new Set();
      const { rows } = await scopes.withoutTenant((db) =>
        sql<{ id: number }>`
          select tenant.id from unnest(${[...new Set(visited.map(({ subdomain }) => subdomain))]}::text[]) asked (subdomain)
          cross join find_tenant(asked.subdomain) tenant`.execute(db),
      );
      return new Set(rows.map(({ id }) => id));
    },

    /** Ends the caller's session, wherever they are; whoever still holds its token is refused from the next call on. */
    end: async (scope: Scope): Promise<void> => {
      const { session } = scope;
      const revoke = ({ db }: Scope) =>
        db
          .updateTable('sessions')
          .set({ revoked_at: sql`now()` })
          .where('id', '=', session.id)
          .execute();
      const home = session.homeTenantId;
      await (home === undefined ? revoke(scope) : scopes.inTenant({ ...session, tenantId: home }, revoke));
    },

    /** Ends all sessions of a user of the scope's tenant, or all but one. Returns how many. */
    endAllOf: async ({ db, afterCommit }: Scope, userId: string, exceptSessionId?: string): Promise<number> => {
      afterCommit(forget);
      const ended = await db
        .updateTable('sessions')
        .set({ revoked_at: sql`now()` })
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .$if(exceptSessionId !== undefined, (sessions) => sessions.where('id', '!=', exceptSessionId ?? ''))
        .executeTakeFirst();
      return Number(ended.numUpdatedRows);
    },

    /** Forgets the sessions that are remembered here, without waiting for the database to say so. */
    forget,

    /** Forgets likewise who may see which study. */
    forgetSight,

    /**
     * A number that changes whenever a session, or what somebody may do in it, has changed; undefined while the database
     * cannot be heard saying so. What was found out under one number holds for as long as the number stays.
     */
    sessionVersion: (): number | undefined => (isListening ? sessionVersion : undefined),

    /** Likewise of what somebody may do or see: it changes with every change of who may see which study, too. */
    accessVersion: (): number | undefined => (isListening ? sessionVersion + sightVersion : undefined),

    /**
     * Hears from the database that a session, a user or a role has changed, or who may see which study. Returns how to
     * stop listening.
     */
    listen: (url: string): (() => Promise<void>) =>
      keepDatabaseLine(url, {
        channel: 'session_changed',
        onNews: (what) => (what === 'studies' ? forgetSight() : forget()),
        onOpen: () => {
          isListening = true;
        },
        // Without the line to the database nothing may be remembered: a revoked session could live on.
        onBreak: () => {
          isListening = false;
          forget();
        },
      }).close,
  };
};

const sessionOf = (row: Row, address: string): Session => ({
  id: row.id,
  userId: row.user_id,
  username: row.username,
  name: row.name,
  email: row.email,
  userType: row.user_type,
  tenantId: row.tenant_id,
  tenantName: row.tenant_name,
  subdomain: row.subdomain,
  timeZone: row.time_zone,
  seesAllStudies: row.sees_all_studies,
  roles: row.roles,
  secondFactor: row.second_factor,
  address,
});
