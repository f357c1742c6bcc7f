import type { Session } from './scope.ts';
import type { Sessions } from './sessions.ts';

type Listener = { session: Session; tokenHash: Buffer; end: () => void };

const lookEvery = 1000;
/** Many things change what somebody may do; all who listen are looked up at most so often. In milliseconds. */
const changesTogetherWithin = 3000;
/** While the database cannot be heard saying that a session has ended, it is asked. */
const unheardAskEvery = 10_000;

/** What somebody may hear, wherever they visit; when it is no longer this, they come again and are told as what they are then. */
const rightsOf = ({ tenantId, homeTenantId = tenantId, userType, roles }: Session): string =>
  JSON.stringify([homeTenantId, userType, roles.map(({ permissions }) => permissions)]);

/**
 * Ends who listens within seconds of their session's end: by itself, by signing out, by being taken away, and when what
 * they may do has changed. To listen keeps no session awake. Returns how to stop.
 */
export const endWithSession = (sessions: Sessions, listeners: () => Listener[]): (() => void) => {
  /** When each is looked up next, in milliseconds: when its session ends by itself, at the latest. */
  const nextLook = new WeakMap<Listener, number>();
  let seenVersion = sessions.sessionVersion();
  let lastChange = 0;
  let isLooking = false;

  const lookUp = async (asked: readonly Listener[]) => {
    const standing = await sessions.standing(asked.map(({ tokenHash }) => tokenHash));
    const isHeard = sessions.sessionVersion() !== undefined;
    for (const listener of asked) {
      const found = standing.get(listener.tokenHash.toString('base64'));
      if (!found || rightsOf(found.session) !== rightsOf(listener.session)) listener.end();
      else nextLook.set(listener, isHeard ? found.endsAt : Math.min(found.endsAt, Date.now() + unheardAskEvery));
    }
  };

  const look = async () => {
    const now = Date.now();
    const version = sessions.sessionVersion();
    const hasChanged = version !== seenVersion && now - lastChange >= changesTogetherWithin;
    const due = listeners().filter((listener) => hasChanged || (nextLook.get(listener) ?? 0) <= now);
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
