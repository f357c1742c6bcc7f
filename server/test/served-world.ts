import { onTestFinished } from 'vitest';
import { newId } from '#core/ids.ts';
import { hashPassword } from '#core/passwords.ts';
import { createUser } from '#features/users/service.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { World } from './world.ts';

/**
 * Starts a whole server on a world's database and store, for the test that is running: what is to be shown with other
 * people's software is shown with what people start.
 */
export const serve = (world: World, settings: Record<string, string> = {}): ServerProcess => {
  // The setting has to name a host, even where a socket is used instead.
  const DATABASE_URL = world.url.replace('@/', '@localhost/');
  const server = startServer({ DATABASE_URL, DATA_DIR: world.dataDir, ...settings });
  onTestFinished(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  return server;
};

/** A radiologist of a tenant of their own whom software signs in by name and password: the name as Basic takes it. */
export const enrolForBasic = async (world: World): Promise<{ name: string; password: string }> => {
  const tenant = await world.newTenant();
  const password = 'a password for other software';
  const username = `software.${newId().slice(-12)}`;
  const person = { username, name: 'Other software', email: 'software@example.org', userType: 'RADIOLOGIST' as const };
  const passwordHash = await hashPassword(password);
  await world.inTenant(tenant, (scope) => createUser(scope, { ...person, passwordHash }));
  return { name: `${tenant.subdomain}/${username}`, password };
};
