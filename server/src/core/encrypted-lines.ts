import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from './config.ts';

/** True when traffic to a host stays on this machine. An empty host or a folder is PostgreSQL's socket. */
export const isThisMachine = (host: string): boolean => {
  const bare = host.replaceAll(/^\[|\]$/g, '').toLowerCase();
  if (bare === '' || bare === 'localhost' || bare.startsWith('/') || bare.startsWith('%2f')) return true;
  return isIP(bare) !== 0 && ipaddr.process(bare).range() === 'loopback';
};

/** Returns the last value of a repeated parameter, as the client does. */
const lastOf = (url: URL, name: string): string => url.searchParams.getAll(name).at(-1) ?? '';

const hostOfDatabase = (url: URL): string => lastOf(url, 'host') || url.hostname;

/** True when the client encrypts and checks the certificate. With libpq-compatible sslmode it may not check it. */
const isEncrypted = (url: URL): boolean =>
  ['require', 'verify-ca', 'verify-full'].includes(lastOf(url, 'sslmode')) && lastOf(url, 'uselibpqcompat') !== 'true';

/**
 * Explains why production refuses this database URL, if it does. Patient rows must not cross a network unencrypted by
 * accident. Operators who trust the network write `sslmode=disable` (ASVS 5.0 12.3.1).
 */
export const databaseFault = (text: string): string | undefined => {
  const url = new URL(text);
  if (isThisMachine(hostOfDatabase(url)) || isEncrypted(url) || lastOf(url, 'sslmode') === 'disable') return undefined;
  return 'needs sslmode=verify-full for a database on another machine, or sslmode=disable in a trusted network';
};

/** Lists the settings whose traffic leaves this machine unencrypted, each with a text for the operator. */
export const openLines = (config: Config): { setting: string; words: string }[] => {
  const { databaseUrl, storage, scanner, dimsePort, dimseHost, dimseTls } = config;
  const database = databaseUrl === undefined ? undefined : new URL(databaseUrl);
  const store = storage.kind === 's3' ? new URL(storage.endpoint) : undefined;
  return [
    ...(database && !isThisMachine(hostOfDatabase(database)) && !isEncrypted(database)
      ? [
          {
            setting: 'DATABASE_URL',
            words: 'The connection to the database is not encrypted. Set sslmode=verify-full.',
          },
        ]
      : []),
    ...(store?.protocol === 'http:' && !isThisMachine(store.hostname)
      ? [{ setting: 'STORAGE_URL', words: 'The connection to the object store is not encrypted. Remove tls=0.' }]
      : []),
    ...(scanner && !isThisMachine(scanner.host)
      ? [
          {
            setting: 'CLAMD_ADDRESS',
            words: 'The connection to the virus scanner is not encrypted. Run the scanner on this machine.',
          },
        ]
      : []),
    ...(dimsePort !== undefined && !dimseTls && !isThisMachine(dimseHost)
      ? [
          {
            setting: 'DIMSE_PORT',
            words: 'Devices send images unencrypted. Set DIMSE_TLS_CERT_FILE and DIMSE_TLS_KEY_FILE.',
          },
        ]
      : []),
  ];
};
