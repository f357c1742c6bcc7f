import { type Scopes, type Session, systemSession } from './scope.ts';
import { sessionOfUser } from './session-of-user.ts';
import type { Sessions, Standing } from './sessions.ts';

/**
 * Something that goes on for as long as the session holds that it was begun in, by the SHA-256 of its token. Software that
 * came with a password has none: then for as long as that password opens the same to the same user.
 */
export type Lasting = { session: Session; tokenHash?: Buffer; end: () => void };

const lookEvery = 1000;
/** Many things change what somebody may do; all who listen are looked up at most so often. In milliseconds. */
const changesTogetherWithin = 3000;
/** While the database cannot be heard saying that a session has ended, it is asked. */
const unheardAskEvery = 10_000;

/** What somebody may hear, wherever they visit; when it is no longer this, they come again and are told as what they are then. */
const rightsOf = ({ tenantId, homeTenantId = tenantId, userType, seesAllStudies, roles, secondFactor }: Session) =>
  JSON.stringify([
    homeTenantId,
    userType,
    seesAllStudies,
    roles.map(({ permissions }) => permissions),
    secondFactor === 'NEEDED',
  ]);

const isVisit = ({ homeTenantId, tenantId }: Session) => homeTenantId !== undefined && homeTenantId !== tenantId;

const ownTenantOf = ({ tenantId, homeTenantId = tenantId }: Session) => homeTenantId;

type User = { standing: Standing; passwordHash: string | null };

/** What a user is now without any session; undefined for one who is let in no more. */
const findUser = async (scopes: Scopes, session: Session): Promise<User | undefined> => {
  const home = ownTenantOf(session);
  const now = await sessionOfUser(scopes, home, session.userId);
  const user = await scopes.inTenant(systemSession(home), ({ db }) =>
    db.selectFrom('users').select('password_hash').where('id', '=', session.userId).executeTakeFirst(),
  );
  return now && user && { standing: { session: now, endsAt: Infinity }, passwordHash: user.password_hash };
};

/** Finds those who came with a password: each user once, and not when it is another password than when first looked at. */
const createUserLook = (scopes: Scopes) => {
  const firstPassword = new WeakMap<Lasting, string | null>();
  return async (asked: readonly Lasting[]): Promise<Map<Lasting, Standing>> => {
    const byUser = Map.groupBy(asked, ({ session }) => `${ownTenantOf(session)} ${session.userId}`);
    const found = await Promise.all(
      [...byUser.values()].map(async ([first, ...others]): Promise<[Lasting, Standing][]> => {
        const user = first && (await findUser(scopes, first.session));
        if (!user) return [];
        return [first, ...others].flatMap((one) => {
          const before = firstPassword.get(one) ?? user.passwordHash;
          firstPassword.set(one, before);
          return before === user.passwordHash ? [[one, user.standing]] : [];
        });
      }),
    );
    return new Map(found.flat());
  };
};

/**
 * Ends who listens, downloads or uploads within seconds of their session's end: by itself, by signing out, by being taken
 * away, when what they may do has changed, and when the organisation that they visit is suspended. None of it keeps a
 * session awake. Returns how to stop.
 */
export const endWithSession = (scopes: Scopes, sessions: Sessions, lasting: () => Lasting[]): (() => void) => {
  const lookAtUsers = createUserLook(scopes);
  /** When each is looked up next, in milliseconds: when its session ends by itself, at the latest. */
  const nextLook = new WeakMap<Lasting, number>();
  let seenVersion = sessions.sessionVersion();
  let lastChange = 0;
  let isLooking = false;

  const lookUp = async (asked: readonly Lasting[]) => {
    const standing = await sessions.standing(asked.flatMap(({ tokenHash }) => tokenHash ?? []));
    const users = await lookAtUsers(asked.filter(({ tokenHash }) => !tokenHash));
    const visits = asked.filter(({ session }) => isVisit(session));
    const open = await sessions.openTenants(visits.map(({ session }) => session));
    const isHeard = sessions.sessionVersion() !== undefined;
    for (const listener of asked) {
      const { session, tokenHash } = listener;
      const found = tokenHash ? standing.get(tokenHash.toString('base64')) : users.get(listener);
      const isOver = !found || (isVisit(session) && !open.has(session.tenantId));
      if (isOver || rightsOf(found.session) !== rightsOf(session)) listener.end();
      else nextLook.set(listener, isHeard ? found.endsAt : Math.min(found.endsAt, Date.now() + unheardAskEvery));
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
      // The database is away: it is asked again, and meanwhile there is nothing to hear.
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, lookEvery);
  return () => clearInterval(looking);
};
