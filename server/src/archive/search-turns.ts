import { Problem, tooMany } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { createTenantShares } from './tenant-shares.ts';

/**
 * Searches that run at once, of a server, a tenant and a caller. A search may hold a connection for 20 seconds, of which a
 * server has 20 (database.ts): most of them are left to everything else.
 */
const mostOfServer = 8;
const mostOfTenant = 3;
const mostOfCaller = 2;
/** Searches of a caller that run or wait, and of a tenant. */
const queueOfCaller = 32;
const queueOfTenant = 128;
/** Seconds after which a caller who was turned away may try again. */
const retryAfterSeconds = 5;

/**
 * Lets only so many searches look for what they want at once. The others wait, and those of a caller who has many waiting
 * already are 429. Whoever has left by the time it is their turn (`isGone`) is not looked for any more.
 */
export const createSearchTurns = () => {
  const ofTenants = createTenantShares({ most: mostOfServer, share: mostOfTenant, queue: queueOfTenant });
  const ofCallers = createTenantShares<string>({
    most: Number.POSITIVE_INFINITY,
    share: mostOfCaller,
    queue: queueOfCaller,
  });
  return <T>({ tenantId, userId, id }: Session, search: () => Promise<T>, isGone = () => false): Promise<T> => {
    const searchUnlessGone = async () => {
      if (isGone()) throw callerLeft();
      return search();
    };
    // A device is a session of its own, and no user's.
    return ofCallers(userId || id, () => ofTenants(tenantId, searchUnlessGone, tooManySearches), tooManySearches);
  };
};

const tooManySearches = () => tooMany('Too many searches at once. Try again in a few seconds.', retryAfterSeconds);

/** Nobody reads it: the log has it. */
const callerLeft = () => new Problem(499, 'request.left', 'The caller left before the search began.');

/** The turns of this server process, whichever way a search comes in. */
export const searchInTurn = createSearchTurns();
