import { t } from '@radwork/contract/core/translate';
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import {
  checkServerIdentity as checkIdentity,
  type ConnectionOptions,
  getCACertificates,
  type PeerCertificate,
} from 'node:tls';
import { Agent, type buildConnector } from 'undici';
import { ConfigError } from '#core/config/config-error.ts';
import type { Config } from '#core/config/config.ts';
import { type DicomTls, readDicomAuthority, readDicomTls } from '#core/config/dicom-tls.ts';
import { toRemoteError } from './remote-error-of.ts';
import type { Target } from './judge-address.ts';
import { measuredBody } from './measured-body.ts';
import { createPinnedConnector, judgedAddresses, type Resolve } from './pinned-connector.ts';
import { RemoteError } from './remote-error.ts';
import { createSlots, type Slots } from '#core/resources/slots.ts';

type Tenant = Target['tenant'];

export type OutgoingRequest = {
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal: AbortSignal;
  /** Maximum bytes of the response; 8 MiB by default. */
  mostBytes?: number;
  /** True when the service may take long, and may stream its response. Only `signal` then limits the time. */
  mayThink?: boolean;
};

/** A response. Read `body` or call `discard`; otherwise the connection stays in use. */
export type OutgoingAnswer = {
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string>;
  body: AsyncIterable<Buffer>;
  discard: () => void;
};

/** The only way to call addresses that users entered. All functions throw RemoteError. */
export type Outgoing = {
  fetch: (tenant: Tenant, url: string, request: OutgoingRequest) => Promise<OutgoingAnswer>;
  /**
   * Returns the checked address for a DIMSE association, and its TLS options. The caller connects to this address
   * without another lookup.
   */
  address: (tenant: Tenant, host: string, port: number, isTls?: boolean) => Promise<DicomEndpoint>;
  close: () => Promise<void>;
};

export type DicomEndpoint = { address: string; tls?: ConnectionOptions };

const connectTimeout = 5000;
const connectionsPerTenant = 8;
const idleConnection = 4000;
const slowest = { leastBytesPerSecond: 1024, rateWindow: 10_000 };
const largestAnswer = 8 << 20;
const largestHeaders = 32 << 10;

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

type Settings = Pick<Config, 'remoteAllow' | 'remoteCaFile' | 'remoteTimeoutSeconds'> & Partial<DicomTls>;

/** Creates the guarded client. Tests may replace `resolve`. */
export const openOutgoing = (settings: Settings, resolve: Resolve = systemResolve): Outgoing => {
  const { remoteAllow: rules, remoteCaFile, remoteTimeoutSeconds: seconds } = settings;
  const certificates = [...getCACertificates('default'), ...(remoteCaFile ? [readAuthority(remoteCaFile)] : [])];
  const lines = new Map<string, Line>();

  const lineOf = (tenant: Tenant): Line => {
    // The allow-list identifies tenants by their subdomain.
    const key = `${tenant.id} ${tenant.subdomain}`;
    const known = lines.get(key);
    if (known) return known;
    const connect = createPinnedConnector(tenant, { rules, resolve, timeout: connectTimeout, certificates });
    const line = { agent: createAgent(connect, seconds), slots: createSlots(connectionsPerTenant) };
    lines.set(key, line);
    return line;
  };

  return {
    fetch: async (tenant, url, request) => {
      const address = addressOf(url);
      return callOver(lineOf(tenant), address, request).catch((error: unknown) => {
        throw toRemoteError(error, address.host);
      });
    },
    address: async (tenant, host, port, isTls = false) => {
      const target: Target = { tenant, protocol: isTls ? 'dicoms' : 'dicom', host: host.toLowerCase(), port };
      const [address = ''] = await judgedAddresses(target, rules, resolve).catch((error: unknown) => {
        throw toRemoteError(error, `${host}:${port}`);
      });
      if (!isTls) return { address };
      const authority = readDicomAuthority(settings);
      const ca = [...certificates, ...(authority === undefined ? [] : [authority])];
      // The certificate must match the name or address that the user entered.
      const checkServerIdentity = (_: string, certificate: PeerCertificate) => checkIdentity(host, certificate);
      return {
        address,
        tls: { ...readDicomTls(settings), ca, checkServerIdentity, servername: isIP(host) === 0 ? host : '' },
      };
    },
    close: async () => {
      await Promise.all(Array.from(lines.values(), ({ agent }) => agent.destroy()));
    },
  };
};

/** Resources that the calls of one tenant share. */
type Line = { agent: Agent; slots: Slots };

const readAuthority = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError(`Radwork cannot start: REMOTE_CA_FILE ${path} cannot be read`);
  }
};

const createAgent = (connect: buildConnector.connector, seconds: number): Agent =>
  new Agent({
    connect,
    connections: connectionsPerTenant,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleConnection,
    keepAliveMaxTimeout: idleConnection,
    headersTimeout: seconds * 500,
    bodyTimeout: seconds * 1000,
    maxHeaderSize: largestHeaders,
  });

const callOver = async (
  { agent, slots }: Line,
  { origin, pathname, search, host }: URL,
  { method = 'GET', headers = {}, body = '', signal, mostBytes = largestAnswer, mayThink }: OutgoingRequest,
): Promise<OutgoingAnswer> => {
  const giveBack = await slots.take(signal);
  try {
    const answer = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: method === 'GET' ? null : body,
      signal,
      ...(mayThink && { headersTimeout: 0, bodyTimeout: 0 }),
    });
    // Ignores errors of a body without a reader. A reader of the body receives the errors.
    answer.body.on('error', () => {}).once('close', giveBack);
    const discard = () => void answer.body.destroy();
    const flat = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    const objection = objectionTo(answer.statusCode, flat, host);
    if (objection) {
      discard();
      throw objection;
    }
    const measured = measuredBody(answer.body, host, {
      mostBytes,
      ...slowest,
      ...(mayThink && { leastBytesPerSecond: 0 }),
    });
    return { status: answer.statusCode, headers: flat, body: measured, discard };
  } catch (error) {
    giveBack();
    throw error;
  }
};

const addressOf = (url: string): URL => {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.hostname === '') {
    throw new RemoteError('REFUSED_BY_POLICY', t`The address must begin with https:// or http://.`);
  }
  if (address.username || address.password) {
    throw new RemoteError('REFUSED_BY_POLICY', t`The address must not contain a username or password.`);
  }
  return address;
};

/** Refuses redirects: a configured system must not send our request, or our password, to another system. */
const objectionTo = (status: number, headers: Record<string, string>, place: string): RemoteError | undefined => {
  if (status >= 300 && status < 400) {
    return new RemoteError('WRONG_SERVICE', t`${place} redirects to another address. Enter that address instead.`);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return undefined;
  return new RemoteError(
    'WRONG_SERVICE',
    t`${place} answers with a compression (${encoding.slice(0, 20)}) that was not requested.`,
  );
};
