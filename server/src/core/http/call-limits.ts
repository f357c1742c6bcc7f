import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#core/config/config.ts';
import { networkOf } from './network-of-address.ts';
import { Problem } from './problem.ts';
import { type Allowance, createAllowance, tooManyCalls } from './rate-limit.ts';
import type { Session } from '#core/access/scope.ts';

/**
 * The kind of calls that are too many, and whether they were counted by session, tenant or address. The address itself
 * must not appear in the log.
 */
export type Flood = {
  of: 'calls' | 'images';
  by: 'session' | 'tenant' | 'address';
  tenantId?: number;
  userId?: string;
};

/** A call above a limit. `flood` is for the log and the metrics. */
export class TooManyCalls extends Problem {
  readonly flood: Flood;

  constructor(flood: Flood, seconds: number) {
    const { status, error, message } = tooManyCalls(seconds);
    super(status, error, message, { retryAfterSeconds: seconds });
    this.flood = flood;
  }
}

type Settings = Pick<
  Config,
  'callsPerSession' | 'callsPerTenant' | 'callsPerAddress' | 'imagesPerSession' | 'imagesPerTenant'
>;

export type CallLimits = ReturnType<typeof createCallLimits>;

/**
 * Limits all calls, so that no caller slows down other callers. Calls with a session count by session and tenant,
 * because a whole hospital may share one address. Other calls count by address. Images count separately, because a
 * reader loads hundreds a second. Throws TooManyCalls.
 */
export const createCallLimits = (settings: Settings) => {
  const ofAddresses = createAllowance(settings.callsPerAddress);
  const ofSessions = {
    calls: createAllowance(settings.callsPerSession),
    images: createAllowance(settings.imagesPerSession),
  };
  const ofTenants = {
    calls: createAllowance(settings.callsPerTenant),
    images: createAllowance(settings.imagesPerTenant),
  };

  const countNetwork = (network: string) => take(ofAddresses, network, { of: 'calls', by: 'address' });

  return {
    countAddress: (address: string): void => countNetwork(networkOf(address)),
    /**
     * Counts a call whose session must be looked up in the database. The address is counted first, and the call is
     * credited back when a session is found. This limits guessing of tokens.
     */
    countUnknown: async (address: string, find: () => Promise<Session | undefined>): Promise<Session | undefined> => {
      const network = networkOf(address);
      countNetwork(network);
      const session = await find();
      if (session) ofAddresses.refund(network);
      return session;
    },
    countSession: ({ id, userId, tenantId }: Session, of: Flood['of']): void => {
      take(ofSessions[of], id, { of, by: 'session', tenantId, userId });
      take(ofTenants[of], String(tenantId), { of, by: 'tenant', tenantId });
    },
  };
};

const take = (allowance: Allowance, key: string, flood: Flood) => {
  const seconds = allowance.take(key);
  if (seconds > 0) throw new TooManyCalls(flood, seconds);
};

/** Milliseconds. */
const minute = 60_000;
/** Number of floods that are logged within one minute. The others are only counted. */
const mostLogged = 100;

/** Logs each flood once a minute. The metrics count every call of a flood. */
export const createFloodLog = () => {
  const loggedFloods = new Set<string>();
  let loggedMinute = 0;
  return (flood: Flood, log: Pick<FastifyBaseLogger, 'warn'>): void => {
    const now = Math.floor(performance.now() / minute);
    if (now !== loggedMinute) loggedFloods.clear();
    loggedMinute = now;
    const key = Object.values(flood).join(' ');
    if (loggedFloods.has(key) || loggedFloods.size >= mostLogged) return;
    loggedFloods.add(key);
    log.warn(flood, 'calls are refused, since there are too many');
  };
};
