import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '#core/config/config-error.ts';
import { type Config, readConfig } from '#core/config/config.ts';
import { kyselyOn, openOwnerPool } from '#core/database/database.ts';
import { startEmbeddedPostgres } from '#core/database/embedded-postgres.ts';
import { examineBackups } from './backups.ts';
import { examineCallLimits } from './call-limits.ts';
import { connectToDatabase, examineDatabase } from './database.ts';
import { codeOf, type Finding, ok, warning, wrong } from './finding.ts';
import { examineLines } from './unencrypted-connections.ts';
import { examineMail, examineOutgoing, examinePorts, examinePublicUrl } from './network.ts';
import { examineSecrets } from './secrets.ts';
import { examineStore, examineWriting } from './store.ts';

/**
 * Examines the deployment that the settings describe, whether or not the server runs. Changes nothing, except that a
 * test file is written and removed. If settings are wrong, names all of them and stops.
 */
export const examine = async (settings?: Record<string, string | undefined>): Promise<Finding[]> => {
  const config = configurationOf(settings);
  if (Array.isArray(config)) return config;
  const others = Promise.all([
    examinePorts(config),
    examinePublicUrl(config),
    examineMail(config),
    examineDataDir(config.dataDir),
  ]);
  const storageFindings = await examineWhatIsKept(config);
  return [
    ok('settings', 'All settings are valid.'),
    ...storageFindings,
    ...(await others).flat(),
    ...examineOutgoing(config),
    ...examineLines(config),
    ...examineBackups(config),
    ...examineCallLimits(config),
  ];
};

const configurationOf = (settings?: Record<string, string | undefined>): Config | Finding[] => {
  try {
    return readConfig(settings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...faults] = error.message.split('\n');
    return faults.map((fault) => wrong('settings', fault.trim()));
  }
};

const examineDataDir = async (dataDir: string): Promise<Finding> =>
  existsSync(dataDir)
    ? examineWriting('DATA_DIR', dataDir)
    : warning('DATA_DIR', 'The folder does not exist. The first start creates it.');

/** Examines database, secret and store, because they belong together. */
const examineWhatIsKept = async (config: Config): Promise<Finding[]> => {
  const folder = join(config.dataDir, 'postgres');
  if (config.databaseUrl !== undefined) return examineWith(config, config.databaseUrl);
  if (!existsSync(folder)) {
    return [
      warning('database', 'The database does not exist. The first start creates the embedded one.'),
      ...(await examineStore(config, 'new')),
    ];
  }
  try {
    const embedded = await startEmbeddedPostgres(folder);
    return await examineWith(config, embedded.url('postgres')).finally(embedded.stop);
  } catch (error) {
    return [wrong('database', `The embedded PostgreSQL does not start (${codeOf(error)}). See its log in ${folder}.`)];
  }
};

const examineWith = async (config: Config, url: string): Promise<Finding[]> => {
  const client = await connectToDatabase(url);
  if ('state' in client) return [client, ...(await examineStore(config, undefined))];
  const pool = openOwnerPool(url);
  try {
    return [
      ...(await examineDatabase(client, url)),
      ...(await examineSecrets(client, config)),
      ...(await examineStore(config, kyselyOn(pool))),
    ];
  } finally {
    await pool.end();
    await client.end();
  }
};
