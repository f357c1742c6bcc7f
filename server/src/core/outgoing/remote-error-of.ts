import { t } from '@radwork/contract/core/translate';
import type { TestCause } from '@radwork/contract/core/connection-test';
import { RemoteError } from './remote-error.ts';

/** `reason` is the message of the original error. */
type Failure = readonly [cause: TestCause, words: (place: string, reason: string) => string];

const noName: Failure = ['DNS', (place) => t`The name of ${place} has no address. Check the spelling.`];
const connectionRefused: Failure = [
  'CONNECTION_REFUSED',
  (place) => t`${place} refuses connections. Check the port and whether the service is running.`,
];
const unreachable: Failure = ['CONNECTION_REFUSED', (place) => t`The network has no route to ${place}.`];
const forbidden: Failure = [
  'CONNECTION_REFUSED',
  (place) =>
    t`Connections to ${place} are blocked, for example by a firewall on this server. The operator can allow them.`,
];
const noLookUp: Failure = ['DNS', (place) => t`The name of ${place} could not be looked up. Try again later.`];
const silent: Failure = [
  'TIMEOUT',
  (place) => t`${place} did not answer in time. A firewall may block the connection.`,
];
const stalled: Failure = ['TIMEOUT', (place) => t`${place} stopped answering.`];
const connectionClosed: Failure = ['OTHER', (place) => t`${place} closed the connection before the end of its answer.`];
const unsayable: Failure = [
  'OTHER',
  (place) =>
    t`A token or key for ${place} contains a character that HTTP does not allow, such as a line break. Enter it again.`,
];
const noTls: Failure = [
  'TLS',
  (place) => t`${place} does not use TLS. Check the port, or use http:// if it is allowed.`,
];
const notHttp: Failure = ['WRONG_SERVICE', (place) => t`${place} does not use HTTP. Check the port.`];

/** Error codes of Node, OpenSSL and undici, with their meaning. */
const failures = new Map<string, Failure>([
  ['ENOTFOUND', noName],
  ['ENODATA', noName],
  ['EAI_AGAIN', noLookUp],
  ['EAI_FAIL', noLookUp],
  ['ECONNREFUSED', connectionRefused],
  ['EHOSTUNREACH', unreachable],
  ['ENETUNREACH', unreachable],
  ['EADDRNOTAVAIL', unreachable],
  // One of our own time-outs (AbortSignal.timeout).
  ['TimeoutError', silent],
  ['ETIMEDOUT', silent],
  ['UND_ERR_CONNECT_TIMEOUT', silent],
  ['UND_ERR_HEADERS_TIMEOUT', silent],
  ['UND_ERR_BODY_TIMEOUT', stalled],
  ['ECONNRESET', connectionClosed],
  ['ECONNABORTED', connectionClosed],
  ['ENETRESET', connectionClosed],
  ['ENOTCONN', connectionClosed],
  ['EPIPE', connectionClosed],
  ['UND_ERR_SOCKET', connectionClosed],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', connectionClosed],
  ['UND_ERR_HEADERS_OVERFLOW', notHttp],
  ['HTTPParserError', notHttp],
  ['UND_ERR_INVALID_ARG', unsayable],
  ['EPROTO', noTls],
  ['ERR_SSL_WRONG_VERSION_NUMBER', noTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', noTls],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['TLS', (place) => t`The certificate of ${place} is for another name.`]],
  ['CERT_HAS_EXPIRED', ['TLS', (place) => t`The certificate of ${place} has expired.`]],
]);

const untrusted: Failure = [
  'TLS',
  (place) =>
    t`This server does not trust the issuer of the certificate of ${place}. The operator can add the issuer in the setting REMOTE_CA_FILE.`,
];
const tlsFailed: Failure = ['TLS', (place) => t`A secure connection to ${place} could not be established.`];

const unacceptable: Failure = [
  'TLS',
  (place, reason) =>
    t`The certificate of ${place} is not acceptable: ${reason}. The operator of ${place} must replace it.`,
];

const isUntrusted = (code: string): boolean =>
  /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED)/.test(code);

/** True for other certificate errors of OpenSSL. Node reports some of them, such as a weak key, as unspecified. */
const isUnacceptable = (code: string): boolean =>
  /^(CERT_|CRL_|ERROR_IN_C|UNABLE_TO_DEC|INVALID_(CA|PURPOSE)$|PATH_LENGTH|HOSTNAME_MISMATCH$|UNSPECIFIED$)/.test(code);

/** Codes of local connection failures: too many open sockets, or a missing socket file. */
const ours = new Set(['ENOENT', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

const failureOf = (code: string, syscall?: unknown): Failure | undefined => {
  const known = failures.get(code);
  if (known) return known;
  // Only an error of `connect` is an error of the connection. If the error is about a file, the same codes mean an
  // error of our own.
  if (syscall === 'connect' && !ours.has(code)) return /^(EACCES|EPERM)$/.test(code) ? forbidden : unreachable;
  if (isUntrusted(code)) return untrusted;
  if (isUnacceptable(code)) return unacceptable;
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return tlsFailed;
  return undefined;
};

/**
 * Converts a network error to a RemoteError about a place such as "pacs.lan:8042". Returns other errors unchanged,
 * because our own errors must not look like errors of the remote system.
 */
export const toRemoteError = (error: unknown, place: string): unknown => {
  if (!(error instanceof Error) || error instanceof RemoteError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const failure = failureOf(code, 'syscall' in error && error.syscall) ?? failureOf(error.name);
  return failure ? new RemoteError(failure[0], failure[1](place, error.message)) : error;
};
