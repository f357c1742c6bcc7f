import { onTestFinished } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { World } from './world.ts';

/**
 * Starts a complete server on the database and store of a world for the current test. Tests with other software use
 * it as operators would.
 */
export const serve = (world: World, settings: Record<string, string> = {}): ServerProcess => {
  // The setting must name a host, even when a socket is used instead.
  const DATABASE_URL = world.url.replace('@/', '@localhost/');
  const server = startServer({ DATABASE_URL, DATA_DIR: world.dataDir, ...settings });
  onTestFinished(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  return server;
};

/** Creates a radiologist in a new tenant and returns name and password for HTTP Basic. */
export const enrollForBasic = async (world: World): Promise<{ name: string; password: string }> => {
  const tenant = await world.newTenant();
  const password = 'a password for other software';
  const username = `software.${newId().slice(-12)}`;
  const person = { username, name: 'Other software', email: 'software@example.org', userType: 'RADIOLOGIST' as const };
  const passwordHash = await hashPassword(password);
  await world.inTenant(tenant, (scope) => createUser(scope, { ...person, passwordHash }));
  return { name: `${tenant.subdomain}/${username}`, password };
};
