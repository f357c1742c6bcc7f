import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../server/src/core/values/ids.ts';
import { systemSession } from '../../../server/src/core/access/scope.ts';
import { createSessions } from '../../../server/src/core/access/sessions.ts';
import { kyselyOn, openOwnerPool, openServingPool } from '../../../server/src/core/database/database.ts';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { createTenant } from '../../../server/src/identity/tenants/service.ts';
import { createUser } from '../../../server/src/identity/user-records/create-user.ts';
import { noCallLimits } from '../../../server/test/no-call-limits.ts';
import { deployedFlags } from '../node-flags.ts';
import { addressIn } from '../torture/server-under-test.ts';

/**
 * A server that runs a checkout, with two tenants. Each token belongs to a radiologist. The device BENCH belongs to the
 * first tenant.
 */
export type ArrivalServer = {
  name: string;
  address: string;
  dimsePort: number;
  pid: number;
  tokens: readonly [string, string];
  stop: () => Promise<void>;
};

/** Starts a server of a checkout, for example of another branch, on an empty folder. */
export const startArrivalServer = async (name: string, checkout: string, dimsePort: number): Promise<ArrivalServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-bench-'));
  const child = spawn(process.execPath, [...deployedFlags, join(checkout, 'server/src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'error',
      DEMO: '0',
      UPLOADS_PER_TENANT: '32',
      DIMSE_PORT: `${dimsePort}`,
      ...noCallLimits,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await addressIn(child);
  return {
    name,
    address,
    dimsePort,
    pid: child.pid ?? 0,
    tokens: await twoTenants(folder),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Creates two tenants with one radiologist each while the server runs, and the device. Returns the tokens. */
const twoTenants = async (folder: string): Promise<[string, string]> => {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
  const url = postgres.url('postgres');
  const [owning, serving] = [openOwnerPool(url), openServingPool(url, 2)];
  const scopes = openScopes(kyselyOn(serving));
  const sessions = createSessions(scopes, { sessionIdleMinutes: 1440, sessionHours: 168 });
  const signIn = async (subdomain: string, hasDevice: boolean) => {
    const tenant = await createTenant(kyselyOn(owning), { name: subdomain, subdomain });
    return scopes.inTenant(systemSession(tenant), async (scope) => {
      const { db } = scope;
      const userId = await createUser(scope, {
        username: 'radiologist',
        name: 'Dr Bench',
        email: 'bench@example.org',
        userType: 'RADIOLOGIST',
        passwordHash: 'no password opens this account',
      });
      const titles = { called_ae_title: 'RADWORK', calling_ae_title: 'BENCH' };
      if (hasDevice)
        await db
          .insertInto('application_entities')
          .values({ id: newId(), ...titles })
          .execute();
      return sessions.begin(db, userId, { address: '127.0.0.1', userAgent: 'bench' });
    });
  };
  const tokens: [string, string] = [await signIn('first', true), await signIn('second', false)];
  await owning.end();
  await serving.end();
  await postgres.stop();
  return tokens;
};
