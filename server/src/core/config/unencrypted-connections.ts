import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** True when traffic to a host stays on this machine. An empty host or a folder means the socket of PostgreSQL. */
export const isThisMachine = (host: string): boolean => {
  const bare = host.replaceAll(/^\[|\]$/g, '').toLowerCase();
  if (bare === '' || bare === 'localhost' || bare.startsWith('/') || bare.startsWith('%2f')) return true;
  return isIP(bare) !== 0 && ipaddr.process(bare).range() === 'loopback';
};

/** Returns the last value of a repeated parameter, because the client uses the last one. */
const lastOf = (url: URL, name: string): string => url.searchParams.getAll(name).at(-1) ?? '';

export const hostOfDatabase = (url: URL): string => lastOf(url, 'host') || url.hostname;

/**
 * True when the client encrypts and checks the certificate. With the sslmode values of libpq, the client may skip this
 * check.
 */
export const isEncrypted = (url: URL): boolean =>
  ['require', 'verify-ca', 'verify-full'].includes(lastOf(url, 'sslmode')) && lastOf(url, 'uselibpqcompat') !== 'true';

/**
 * Returns why production refuses this database URL, if it does. Patient data must not cross a network unencrypted by
 * mistake. An operator who trusts the network writes `sslmode=disable` (ASVS 5.0 12.3.1).
 */
export const databaseFault = (text: string): string | undefined => {
  const url = new URL(text);
  if (isThisMachine(hostOfDatabase(url)) || isEncrypted(url) || lastOf(url, 'sslmode') === 'disable') return undefined;
  return 'needs sslmode=verify-full for a database on another machine, or sslmode=disable in a trusted network';
};
