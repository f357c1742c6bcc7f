import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { Agent } from 'undici';
import type { Config } from '#core/config.ts';
import { inWords } from './failure-words.ts';
import type { Target } from './judge-address.ts';
import { measuredBody } from './measured-body.ts';
import { createPinnedConnector, judgedAddresses, type Resolve } from './pinned-connector.ts';
import { RemoteError } from './remote-error.ts';
import { createSlots, type Slots } from './slots.ts';

type Tenant = Target['tenant'];

export type OutgoingRequest = {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal: AbortSignal;
  /** Bytes of the largest answer that is taken; 8 MiB where nothing is said. */
  mostBytes?: number;
};

/** Exactly one of `body` (to its end or not) and `discard` has to be used, or the connection stays taken. */
export type OutgoingAnswer = {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: AsyncIterable<Buffer>;
  discard: () => void;
};

/** The only way out: every call to an address that somebody of a tenant has typed. All of it throws RemoteError. */
export type Outgoing = {
  fetch: (tenant: Tenant, url: string, request: OutgoingRequest) => Promise<OutgoingAnswer>;
  /** The address that a DIMSE association is opened to: judged, and to be used as it is, without looking it up again. */
  address: (tenant: Tenant, host: string, port: number) => Promise<{ address: string; family: 4 | 6 }>;
  close: () => Promise<void>;
};

const connectTimeout = 5000;
const connectionsPerTenant = 8;
const idleConnection = 4000;
const slowest = { leastBytesPerSecond: 1024, rateWindow: 10_000 };
const largestAnswer = 8 << 20;
const largestHeaders = 32 << 10;

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

type Settings = Pick<Config, 'remoteAllow' | 'remoteCaFile' | 'remoteTimeoutSeconds'>;

/** The guarded client for a running server. `resolve` is for tests, which bring a name server of their own. */
export const openOutgoing = (
  { remoteAllow: rules, remoteCaFile, remoteTimeoutSeconds }: Settings,
  resolve: Resolve = systemResolve,
): Outgoing => {
  const certificates = [...getCACertificates('default'), ...(remoteCaFile ? [readFileSync(remoteCaFile, 'utf8')] : [])];
  const agents = new Map<number, { agent: Agent; slots: Slots }>();

  const agentOf = (tenant: Tenant) => {
    const known = agents.get(tenant.id);
    if (known) return known;
    const connect = createPinnedConnector(tenant, { rules, resolve, timeout: connectTimeout, certificates });
    const agent = new Agent({
      connect,
      connections: connectionsPerTenant,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: idleConnection,
      keepAliveMaxTimeout: idleConnection,
      headersTimeout: remoteTimeoutSeconds * 500,
      bodyTimeout: remoteTimeoutSeconds * 1000,
      maxHeaderSize: largestHeaders,
    });
    const opened = { agent, slots: createSlots(connectionsPerTenant) };
    agents.set(tenant.id, opened);
    return opened;
  };

  return {
    fetch: async (tenant, url, { method = 'GET', headers = {}, body, signal, mostBytes = largestAnswer }) => {
      const { origin, pathname, search, host } = addressOf(url);
      const { agent, slots } = agentOf(tenant);
      const giveBack = await slots.take(signal).catch((error: unknown) => {
        throw inWords(error, host);
      });
      try {
        const answer = await agent.request({
          origin,
          path: `${pathname}${search}`,
          method,
          headers: { ...headers, 'accept-encoding': 'identity' },
          body: body ?? null,
          signal,
        });
        // Whoever is told of an error elsewhere is not told again here.
        answer.body.on('error', () => {}).once('close', giveBack);
        const discard = () => void answer.body.destroy();
        const flat = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
        const objection = objectionTo(answer.statusCode, flat, host);
        if (objection) {
          discard();
          throw objection;
        }
        const measured = measuredBody(answer.body, host, { mostBytes, ...slowest });
        return { status: answer.statusCode, headers: flat, body: measured, discard };
      } catch (error) {
        giveBack();
        throw inWords(error, host);
      }
    },
    address: async (tenant, host, port) => {
      const target: Target = { tenant, protocol: 'dicom', host: host.toLowerCase(), port };
      const [address = ''] = await judgedAddresses(target, rules, resolve).catch((error: unknown) => {
        throw inWords(error, `${host}:${port}`);
      });
      return { address, family: address.includes(':') ? 6 : 4 };
    },
    close: async () => {
      await Promise.all(Array.from(agents.values(), ({ agent }) => agent.destroy()));
    },
  };
};

const addressOf = (url: string): URL => {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.hostname === '') {
    throw new RemoteError('REFUSED_BY_POLICY', 'Only addresses that begin with https:// or http:// are called.');
  }
  if (address.username || address.password) {
    throw new RemoteError('REFUSED_BY_POLICY', 'An address with a user name or a password in it is not called.');
  }
  return address;
};

/** A redirect is not followed: whoever is configured may not send us, and our password, to anybody else. */
const objectionTo = (status: number, headers: Record<string, string>, place: string): RemoteError | undefined => {
  if (status >= 300 && status < 400) {
    return new RemoteError(
      'WRONG_SERVICE',
      `${place} redirects to another address, which is not followed. Enter the address that serves the archive itself.`,
    );
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return undefined;
  return new RemoteError(
    'WRONG_SERVICE',
    `${place} answers in a compression (${encoding.slice(0, 20)}) that was not asked for.`,
  );
};
