import { t } from '@radwork/contract/core/translate';
import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { type AllowRule, type OutgoingProtocol, outgoingProtocols } from './allow-rules.ts';
import { judgeAddress, type Target } from './judge-address.ts';
import { RemoteError } from './remote-error.ts';

/** Returns all addresses of a name, from the system or from the name server of a test. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>;

/** Maximum number of addresses. No archive has so many. */
const mostAddresses = 16;
/** Milliseconds. The system retries a name server that does not reply for longer than users want to wait. */
const lookupTakesAtMost = 5000;

/** Returns all addresses of a host, each checked. If one address is refused, the name is refused. */
export const judgedAddresses = async (
  target: Target,
  rules: readonly AllowRule[],
  resolve: Resolve,
): Promise<string[]> => {
  const answers = isIP(target.host) ? [{ address: target.host }] : await inTime(resolve(target.host), target.host);
  if (answers.length === 0 || answers.length > mostAddresses) {
    throw new RemoteError('DNS', t`The name ${target.host} has ${answers.length} addresses.`);
  }
  return answers.map(({ address }) => judgeAddress(address, target, rules));
};

/** Stops waiting for a lookup that takes too long. The lookup itself cannot be stopped. */
const inTime = async <T>(lookup: Promise<T>, host: string): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const words = t`The name ${host} could not be looked up in time.`;
  const timer = setTimeout(() => late.reject(new RemoteError('DNS', words)), lookupTakesAtMost);
  return Promise.race([lookup, late.promise]).finally(() => clearTimeout(timer));
};

const protocolOf = (text: string): OutgoingProtocol => {
  const protocol = outgoingProtocols.find((outgoingProtocol) => `${outgoingProtocol}:` === text);
  if (!protocol) throw new RemoteError('REFUSED_BY_POLICY', t`${text} is not supported`);
  return protocol;
};

type Options = { rules: readonly AllowRule[]; resolve: Resolve; timeout: number; certificates: readonly string[] };

/**
 * Connects a tenant to a checked address. The name is looked up once, so that a later change of the name has no effect.
 * The certificate is checked against the name, and the reached address is checked again.
 */
export const createPinnedConnector = (
  tenant: Target['tenant'],
  { rules, resolve, timeout, certificates }: Options,
): buildConnector.connector => {
  // Uses only HTTP/1.1, with one response per connection, so that a stalled response does not block another response.
  const connect = buildConnector({ timeout, ca: [...certificates], allowH2: false, maxCachedSessions: 0 });

  const connectTo = (address: string, target: Target, options: buildConnector.Options) =>
    new Promise<Parameters<buildConnector.Callback>>((settle) => {
      const isName = isIP(target.host) === 0;
      const servername = isName && target.protocol === 'https' ? { servername: target.host } : {};
      const place = { protocol: options.protocol, port: String(target.port), hostname: address, host: address };
      connect({ ...place, ...servername }, (...outcome) => settle(outcome));
    });

  const reach = async (options: buildConnector.Options) => {
    const protocol = protocolOf(options.protocol);
    const host = options.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase();
    const port = Number(options.port || (protocol === 'https' ? 443 : 80));
    const target = { tenant, protocol, host, port };
    let failure: unknown;
    for (const address of await judgedAddresses(target, rules, resolve)) {
      const [error, socket] = await connectTo(address, target, options);
      if (socket) return judgedSocket(socket, target, rules);
      failure = error;
    }
    throw failure;
  };

  return (options, done) => {
    reach(options).then(
      (socket) => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
};

const judgedSocket = (socket: Socket, target: Target, rules: readonly AllowRule[]): Socket => {
  try {
    judgeAddress(socket.remoteAddress ?? '', target, rules);
    return socket;
  } catch (refusal) {
    socket.destroy();
    throw refusal;
  }
};
