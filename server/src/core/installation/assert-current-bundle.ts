import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '#core/config/config-error.ts';
import { knownMigrations } from '#core/database/migrate.ts';
import { version } from '#core/values/version.ts';

/**
 * Throws ConfigError if the running program is a bundle that was made of another version or of other migrations. An old
 * bundle would run the new migrations and threads, which it reads from the disk, with its old code. A program that is no
 * bundle passes.
 */
export const assertCurrentBundle = async (program: string): Promise<void> => {
  const madeOf = join(dirname(program), 'made-of.json');
  if (!existsSync(madeOf)) return;
  const current = { version, migrations: await knownMigrations() };
  if (isDeepStrictEqual(JSON.parse(readFileSync(madeOf, 'utf8')), current)) return;
  throw new ConfigError('The server was built from an earlier version of its sources. Run: npm run build');
};
