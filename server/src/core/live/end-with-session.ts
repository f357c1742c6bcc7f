import { type Scopes, type Session, systemSession } from '#core/access/scope.ts';
import { sessionOfUser } from '#core/access/session-of-user.ts';
import type { Sessions, SessionWithExpiry } from '#core/access/sessions.ts';

/**
 * A transfer or connection that ends with its session, which the SHA-256 of the token identifies. Software with a
 * password has no token. Its transfer lasts while the password opens the same tenant for the same user.
 */
export type SessionBound = { session: Session; tokenHash?: Buffer; end: () => void };

const lookEvery = 1000;
/**
 * Milliseconds during which changes are collected before all listeners are checked, because many changes can affect
 * rights.
 */
const changesTogetherWithin = 3000;
/** Milliseconds between checks of sessions while the database sends no notifications. */
const unheardAskEvery = 10_000;

/** Returns the rights that decide which events a listener may receive. When they change, the browser must reconnect. */
const rightsOf = ({
  tenantId,
  homeTenantId = tenantId,
  userType,
  seesAllStudies,
  studyGroups,
  roles,
  secondFactor,
}: Session) =>
  JSON.stringify([
    homeTenantId,
    userType,
    seesAllStudies,
    studyGroups,
    roles.map(({ permissions }) => permissions),
    secondFactor === 'NEEDED',
  ]);

const isVisit = ({ homeTenantId, tenantId }: Session) => homeTenantId !== undefined && homeTenantId !== tenantId;

const ownTenantOf = ({ tenantId, homeTenantId = tenantId }: Session) => homeTenantId;

type User = { current: SessionWithExpiry; passwordHash: string | null };

/** Returns the current rights of a user without a session. Undefined when the user may not sign in now. */
const findUser = async (scopes: Scopes, session: Session): Promise<User | undefined> => {
  const home = ownTenantOf(session);
  const now = await sessionOfUser(scopes, home, session.userId);
  const user = await scopes.inTenant(systemSession(home), ({ db }) =>
    db.selectFrom('users').select('password_hash').where('id', '=', session.userId).executeTakeFirst(),
  );
  return now && user && { current: { session: now, endsAt: Infinity }, passwordHash: user.password_hash };
};

/**
 * Looks up the users of transfers that began with a password. Leaves out transfers whose user has changed the password.
 */
const createUserLook = (scopes: Scopes) => {
  const firstPassword = new WeakMap<SessionBound, string | null>();
  return async (listeners: readonly SessionBound[]): Promise<Map<SessionBound, SessionWithExpiry>> => {
    const byUser = Map.groupBy(listeners, ({ session }) => `${ownTenantOf(session)} ${session.userId}`);
    const current = await Promise.all(
      [...byUser.values()].map(async ([first, ...others]): Promise<[SessionBound, SessionWithExpiry][]> => {
        const user = first && (await findUser(scopes, first.session));
        if (!user) return [];
        return [first, ...others].flatMap((one) => {
          const before = firstPassword.get(one) ?? user.passwordHash;
          firstPassword.set(one, before);
          return before === user.passwordHash ? [[one, user.current]] : [];
        });
      }),
    );
    return new Map(current.flat());
  };
};

/**
 * Ends listeners, downloads and uploads within seconds after their session ends. A session ends by expiry, sign-out,
 * removal or a change of rights, or because the visited organization is suspended. A transfer does not extend its
 * session. Returns a function that stops the checks.
 */
export const endWithSession = (scopes: Scopes, sessions: Sessions, lasting: () => SessionBound[]): (() => void) => {
  const lookAtUsers = createUserLook(scopes);
  /** Time in milliseconds at which each listener is checked next, at the latest when its session expires. */
  const nextLook = new WeakMap<SessionBound, number>();
  let seenVersion = sessions.sessionVersion();
  let lastChange = 0;
  let isLooking = false;

  const lookUp = async (listeners: readonly SessionBound[]) => {
    const validSessions = await sessions.standing(listeners.flatMap(({ tokenHash }) => tokenHash ?? []));
    const users = await lookAtUsers(listeners.filter(({ tokenHash }) => !tokenHash));
    const visits = listeners.filter(({ session }) => isVisit(session));
    const open = await sessions.openTenants(visits.map(({ session }) => session));
    const isHeard = sessions.sessionVersion() !== undefined;
    for (const listener of listeners) {
      const { session, tokenHash } = listener;
      const current = tokenHash ? validSessions.get(tokenHash.toString('base64')) : users.get(listener);
      const isOver = !current || (isVisit(session) && !open.has(session.tenantId));
      if (isOver || rightsOf(current.session) !== rightsOf(session)) listener.end();
      else nextLook.set(listener, isHeard ? current.endsAt : Math.min(current.endsAt, Date.now() + unheardAskEvery));
    }
  };

  const look = async () => {
    const now = Date.now();
    const version = sessions.sessionVersion();
    const hasChanged = version !== seenVersion && now - lastChange >= changesTogetherWithin;
    const due = lasting().filter((listener) => hasChanged || (nextLook.get(listener) ?? 0) <= now);
    if (due.length > 0) await lookUp(due);
    if (!hasChanged) return;
    seenVersion = version;
    lastChange = now;
  };

  const looking = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      // If the database cannot be reached, the next check asks again. Until then, no events arrive.
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, lookEvery);
  return () => clearInterval(looking);
};
