import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { networkOf } from './network-of.ts';
import { Problem } from './problem.ts';
import { type Allowance, createAllowance, tooManyCalls } from './rate-limit.ts';
import type { Session } from './scope.ts';

/** What was counted, and by what; an address is nothing that may stand in a log. */
export type Flood = {
  of: 'calls' | 'images';
  by: 'session' | 'tenant' | 'address';
  tenantId?: number;
  userId?: string;
};

/** A call beyond a limit. `flood` is for the log and the figures. */
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
 * Limits for all calls together, so that nobody keeps the others waiting by mistake or on purpose. Who has a session is
 * counted by it and by their tenant, since a whole hospital may stand behind one address; who has none by the address.
 * Images, of which a reader asks for hundreds a second, are counted apart. Throws TooManyCalls.
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
    countStranger: (address: string): void => countNetwork(networkOf(address)),
    /**
     * Counts a call of somebody who has yet to be found out, which takes a question to the database: whoever guesses is
     * counted by their address before that, and whoever turns out to be somebody is not.
     */
    countUnknown: async (address: string, find: () => Promise<Session | undefined>): Promise<Session | undefined> => {
      const network = networkOf(address);
      countNetwork(network);
      const session = await find();
      if (session) ofAddresses.giveBack(network);
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

/** In milliseconds. */
const minute = 60_000;
/** Floods that are told of in one minute. */
const mostTold = 100;

/** Tells of a flood once a minute; the figures count its calls. */
export const createFloodLog = () => {
  const told = new Set<string>();
  let toldIn = 0;
  return (flood: Flood, log: Pick<FastifyBaseLogger, 'warn'>): void => {
    const now = Math.floor(performance.now() / minute);
    if (now !== toldIn) told.clear();
    toldIn = now;
    const key = Object.values(flood).join(' ');
    if (told.has(key) || told.size >= mostTold) return;
    told.add(key);
    log.warn(flood, 'calls are refused, since there are too many');
  };
};
