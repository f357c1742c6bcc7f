import type { Session } from './scope.ts';
import type { Sessions } from './sessions.ts';

/** Something that goes on for as long as the session holds that it was begun in; by the SHA-256 of its token. */
export type Lasting = { session: Session; tokenHash: Buffer; end: () => void };

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

/**
 * Ends who listens, downloads or uploads within seconds of their session's end: by itself, by signing out, by being taken
 * away, when what they may do has changed, and when the organisation that they visit is suspended. None of it keeps a
 * session awake. Returns how to stop.
 */
export const endWithSession = (sessions: Sessions, lasting: () => Lasting[]): (() => void) => {
  /** When each is looked up next, in milliseconds: when its session ends by itself, at the latest. */
  const nextLook = new WeakMap<Lasting, number>();
  let seenVersion = sessions.sessionVersion();
  let lastChange = 0;
  let isLooking = false;

  const lookUp = async (asked: readonly Lasting[]) => {
    const standing = await sessions.standing(asked.map(({ tokenHash }) => tokenHash));
    const visits = asked.filter(({ session }) => isVisit(session));
    const open = await sessions.openTenants(visits.map(({ session }) => session));
    const isHeard = sessions.sessionVersion() !== undefined;
    for (const listener of asked) {
      const found = standing.get(listener.tokenHash.toString('base64'));
      const { session } = listener;
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
