import { t } from '@radwork/contract/core/translate';
import { Problem, tooMany } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { createTenantShares } from '#core/resources/tenant-shares.ts';

/**
 * Searches that run at once: on a server, for a tenant and for a caller. A search may hold a connection for 20 seconds,
 * and a server has 20 connections (database.ts), so most must stay free for other work.
 */
const mostOfServer = 8;
const mostOfTenant = 3;
const mostOfCaller = 2;
/** Running and waiting searches: of a caller, and of a tenant. */
const queueOfCaller = 32;
const queueOfTenant = 128;
/** Seconds after which a caller with too many searches may try again. */
const retryAfterSeconds = 5;

/**
 * Limits the searches that run at once. Other searches wait. A caller with too many waiting searches gets 429. A search
 * is skipped if its caller has left (`isGone`) before its turn.
 */
export const createSearchLimits = () => {
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
    // A device has its own session, without a user.
    return ofCallers(userId || id, () => ofTenants(tenantId, searchUnlessGone, tooManySearches), tooManySearches);
  };
};

const tooManySearches = () => tooMany(t`Too many searches at once. Try again in a few seconds.`, retryAfterSeconds);

/** The caller has left, so only the log shows this error. */
const callerLeft = () => new Problem(499, 'request.left', t`The caller disconnected before the search began.`);

/** Limits the searches of this server process. All interfaces share these limits. */
export const limitSearches = createSearchLimits();
