import { checksOfUploads, type Readiness, type readinessChecks } from '@radwork/contract/identity/health';
import type { Context } from '#core/context.ts';

type Name = (typeof readinessChecks)[number];

/** A check with its public message, and the error for the operator. */
export type CheckResult = { name: Name; isOk: boolean; message: string; error?: unknown };

const ok = (name: Name, message: string): CheckResult => ({ name, isOk: true, message });
const wrong = (name: Name, message: string, error?: unknown): CheckResult => ({ name, isOk: false, message, error });

const judgeDatabase = async ({ probes }: Pick<Context, 'probes'>, known: readonly string[]): Promise<CheckResult[]> => {
  const result = await probes.database();
  if ('error' in result) {
    return [
      wrong('database', 'The database did not answer within 1 second.', result.error),
      wrong('migrations', 'Could not check the database schema.'),
    ];
  }
  const applied = new Set(result.value);
  const missing = known.filter((name) => !applied.has(name));
  const newer = result.value.filter((name) => !known.includes(name));
  return [ok('database', 'The database is available.'), judgeMigrations(missing, newer)];
};

const judgeMigrations = (missing: string[], newer: string[]): CheckResult => {
  if (newer.length > 0) {
    const error = new Error(`Unknown migrations: ${newer.join(', ')}`);
    return wrong('migrations', 'The database schema is newer than this server. Update the server.', error);
  }
  if (missing.length > 0) {
    const error = new Error(`Missing migrations: ${missing.join(', ')}`);
    return wrong(
      'migrations',
      'The database schema is older than this server. Restart the server to update it.',
      error,
    );
  }
  return ok('migrations', 'The database schema is up to date.');
};

const judgeStore = async ({ probes }: Pick<Context, 'probes'>): Promise<CheckResult> => {
  const result = await probes.store();
  if (!('error' in result)) return ok('store', 'Images can be stored.');
  return wrong('store', 'Images cannot be stored. Writing to the store fails or takes too long.', result.error);
};

const judgeSpace = async ({ probes, config }: Pick<Context, 'probes' | 'config'>): Promise<CheckResult> => {
  const result = await probes.free();
  if ('error' in result) return wrong('space', 'Could not check the free space for images.', result.error);
  const isEnough = result.value === null || result.value >= config.freeDiskBytes;
  if (isEnough) return ok('space', 'There is enough free space for images.');
  return wrong('space', 'Free space is below the minimum. Uploads are refused.');
};

/** Checks everything that the server needs in order to work. `known` lists the migrations of this release. */
export const checkReadiness = async (
  context: Pick<Context, 'probes' | 'config' | 'closing'>,
  known: readonly string[],
): Promise<CheckResult[]> => {
  const running = context.closing.hasBegun()
    ? wrong('running', 'The server is shutting down.')
    : ok('running', 'The server is running.');
  const [database, store, space] = await Promise.all([
    judgeDatabase(context, known),
    judgeStore(context),
    judgeSpace(context),
  ]);
  return [running, ...database, store, space];
};

/** Returns the public result. Its messages contain no host, path, version or patient. */
export const readinessOf = (checks: readonly CheckResult[]): Readiness => ({
  status: statusOf(checks.filter(({ isOk }) => !isOk).map(({ name }) => name)),
  checks: checks.map(({ name, isOk, message }) => ({ name, isOk, message })),
});

const statusOf = (wrong: readonly Name[]): Readiness['status'] => {
  if (wrong.length === 0) return 'ready';
  return wrong.every((name) => checksOfUploads.includes(name)) ? 'takes no images' : 'not ready';
};
