import { hash, randomBytes } from 'node:crypto';
import type { Permission, UserType } from '@radwork/contract/core/access';
import type { SecondFactorState, SessionEnd } from '@radwork/contract/identity/sessions';
import { type Kysely, sql } from 'kysely';
import type { Config } from '#core/config/config.ts';
import { prepared, type Schema } from '#core/database/database.ts';
import { openDatabaseListener } from '#core/database/database-listener.ts';
import { newId } from '#core/values/ids.ts';
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
  study_groups: string[] | null;
  locale: string;
  second_factor: SecondFactorState;
};

type Cached = { session: Session; checkedAt: number; lastSeenAt: number; expiresAt: number };

/** A session, and the time in milliseconds when it expires without further use. */
export type SessionWithExpiry = { session: Session; endsAt: number };

export type Device = { address: string; userAgent: string };

export type Sessions = ReturnType<typeof createSessions>;

/** Milliseconds for which a session stays in the cache. A change of sessions or rights empties the cache at once. */
const rememberedFor = 60_000;
const rememberedAtMost = 5000;
const touchedEvery = 60_000;

export const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/**
 * Manages sessions. A token is 256 random bits, of which the database stores only the SHA-256. A session ends at
 * sign-out, at its age limit, and when it is idle too long. It ends at once when the user is deactivated or the tenant
 * is suspended. A changed user type or role applies to the next call.
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
      sql<Row>`select found.*, do_referrers_see_all(found.tenant_id) as sees_all_studies,
                      study_groups_of(found.tenant_id, found.user_id) as study_groups,
                      locale_of_tenant(found.tenant_id) as locale
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
      // Runs once a minute for each session and does not wait for the disk. After a crash, the latest time of use may
      // be missing.
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
    // If a session changed during the lookup, the result may be outdated and is not cached.
    if (version === sessionVersion) remember(key, cached);
    if (!isPoll && Date.now() - cached.lastSeenAt > touchedEvery) await touch(cached);
    return { ...cached.session, address };
  };

  return {
    /**
     * Begins a session in the caller's transaction and returns its token. The database stores only the hash of the
     * token. After single sign-on the session needs no second factor; `shownAt` is when the user signed in at the
     * provider.
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

    /** Returns the session of a token, or undefined. An automatic call does not extend the session. */
    resolve: (token: string, address: string, isPoll: boolean): Promise<Session | undefined> =>
      resolveHash(hashOfToken(token), address, isPoll),

    /** Returns the session by the SHA-256 of its token. Signed image URLs contain this hash. */
    resolveHash,

    /** True when the session of a token is cached. */
    isRemembered: (token: string): boolean => recall(hashOfToken(token).toString('base64')) !== undefined,

    /** Returns why a session ended; undefined when unknown. */
    whyEnded: async (token: string): Promise<SessionEnd | undefined> => {
      const { rows } = await scopes.withoutTenant((db) =>
        sql<{ why: SessionEnd | null }>`select why_session_ended(${hashOfToken(token)}) as why`.execute(db),
      );
      return rows[0]?.why ?? undefined;
    },

    /** Takes base64 SHA-256 hashes of tokens and returns the valid sessions, in one query. */
    standing: async (tokenHashes: readonly Buffer[]): Promise<Map<string, SessionWithExpiry>> => {
      const { rows } = await scopes.withoutTenant((db) =>
        sql<Row & { token_hash: Buffer }>`
          select asked.token_hash, found.*, do_referrers_see_all(found.tenant_id) as sees_all_studies,
            study_groups_of(found.tenant_id, found.user_id) as study_groups, locale_of_tenant(found.tenant_id) as locale from unnest(${tokenHashes}::bytea[]) asked (token_hash)
          cross join find_session(asked.token_hash, make_interval(mins => ${sessionIdleMinutes})) found`.execute(db),
      );
      return new Map(
        rows.map((row) => {
          const endsAt = Math.min(Date.parse(row.expires_at), Date.parse(row.last_seen_at) + idleMs);
          return [row.token_hash.toString('base64'), { session: sessionOf(row, ''), endsAt }];
        }),
      );
    },

    /** Returns the tenants that may still be visited; suspended ones may not. */
    openTenants: async (visited: readonly Pick<Session, 'tenantId' | 'subdomain'>[]): Promise<Set<number>> => {
      if (visited.length === 0) return new Set();
      const { rows } = await scopes.withoutTenant((db) =>
        sql<{ id: number }>`
          select tenant.id from unnest(${[...new Set(visited.map(({ subdomain }) => subdomain))]}::text[]) asked (subdomain)
          cross join find_tenant(asked.subdomain) tenant`.execute(db),
      );
      return new Set(rows.map(({ id }) => id));
    },

    /**
     * Ends the caller's session, also when the caller visits another tenant. From the next call on, the token is
     * refused.
     */
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

    /**
     * Ends all sessions of a user of the scope's tenant, except the given one, if any. Returns how many sessions ended.
     */
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

    /** Empties the session cache without waiting for the database notification. */
    forget,

    /** Marks study access as changed without waiting for the notification. */
    forgetSight,

    /**
     * Returns a number that changes with every change of a session or its rights. While the number is the same, results
     * remain valid. Undefined while the server receives no database notifications.
     */
    sessionVersion: (): number | undefined => (isListening ? sessionVersion : undefined),

    /** Returns a number like `sessionVersion` that also changes with study access. */
    accessVersion: (): number | undefined => (isListening ? sessionVersion + sightVersion : undefined),

    /** Listens for changes of sessions, users, roles and study access. Returns a function that stops listening. */
    listen: (url: string): (() => Promise<void>) =>
      openDatabaseListener(url, {
        channel: 'session_changed',
        onNotification: (what) => (what === 'studies' ? forgetSight() : forget()),
        onOpen: () => {
          isListening = true;
        },
        // Without notifications nothing may be cached, because a revoked session would stay valid.
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
  studyGroups: row.study_groups,
  locale: row.locale,
  roles: row.roles,
  secondFactor: row.second_factor,
  address,
});
