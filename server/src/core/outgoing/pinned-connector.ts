import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { type AllowRule, type OutgoingProtocol, outgoingProtocols } from './allow-rules.ts';
import { judgeAddress, type Target } from './judge-address.ts';
import { RemoteError } from './remote-error.ts';

/** Every address of a name, as the system (or a test's own name server) knows them. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>;

/** A name with more addresses than this is not the name of an archive. */
const mostAddresses = 16;
/** Name servers that are away are asked again and again by the system, for longer than anybody waits. */
const lookupTakesAtMost = 5000;

/** All addresses of a host, every one of them judged: one that is refused makes the name as such unfit. */
export const judgedAddresses = async (
  target: Target,
  rules: readonly AllowRule[],
  resolve: Resolve,
): Promise<string[]> => {
  const answers = isIP(target.host) ? [{ address: target.host }] : await inTime(resolve(target.host), target.host);
  if (answers.length === 0 || answers.length > mostAddresses) {
    throw new RemoteError('DNS', `The name ${target.host} has ${answers.length} addresses.`);
  }
  return answers.map(({ address }) => judgeAddress(address, target, rules));
};

/** A look-up that takes too long cannot be stopped; it is only not waited for. */
const inTime = async <T>(lookup: Promise<T>, host: string): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const words = `The name ${host} could not be looked up in time.`;
  const timer = setTimeout(() => late.reject(new RemoteError('DNS', words)), lookupTakesAtMost);
  return Promise.race([lookup, late.promise]).finally(() => clearTimeout(timer));
};

const protocolOf = (text: string): OutgoingProtocol => {
  const protocol = outgoingProtocols.find((one) => `${one}:` === text);
  if (!protocol) throw new RemoteError('REFUSED_BY_POLICY', `${text} is not spoken`);
  return protocol;
};

type Options = { rules: readonly AllowRule[]; resolve: Resolve; timeout: number; certificates: readonly string[] };

/**
 * Connects a tenant by name, but to an address: names are looked up once, here, and the socket goes to what was
 * judged, so that a name that points elsewhere a moment later changes nothing. The certificate is checked against
 * the name. What was really reached is judged once more.
 */
export const createPinnedConnector = (
  tenant: Target['tenant'],
  { rules, resolve, timeout, certificates }: Options,
): buildConnector.connector => {
  // HTTP/1.1 alone: one answer to a connection, so that what hangs or breaks takes nothing else along.
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
