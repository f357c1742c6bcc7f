import type { Config } from './config.ts';
import { hostOfDatabase, isEncrypted, isThisMachine } from './unencrypted-connections.ts';

/** Lists the settings whose traffic leaves this machine unencrypted. Each entry has a text for the operator. */
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
