import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { noCallLimits } from '../../server/test/no-call-limits.ts';
import { deployedFlags } from './node-flags.ts';
import { addressIn } from './torture/server-under-test.ts';

/** A server with its own data folder. The folder is removed together with the server. */
export type Server = { address: string; pid: number; token: string; stop: () => Promise<void> };

const program = resolve(import.meta.dirname, '../../server/src/main.ts');
const password = randomBytes(16).toString('base64url');

/** A radiologist of the demo. */
export const radiologist = { username: 'radiologist', password };

/**
 * Starts a server on an empty folder with these settings, and signs in. The first start loads the demo and is not
 * measured. The second start is measured, so the demo is not in the memory of the measured server.
 */
export const startServer = async (settings: Record<string, string> = {}): Promise<Server> => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-bench-'));
  const withDemo = await launch(folder, { ...settings, DEMO: '1', DEMO_PASSWORD: password });
  await end(withDemo.child);
  const { child, address } = await launch(folder, { ...settings, DEMO: '0' });
  return {
    address,
    pid: child.pid ?? 0,
    token: await signIn(address),
    stop: async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const launch = async (folder: string, settings: Record<string, string>) => {
  const child = spawn(process.execPath, [...deployedFlags, program], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', ...noCallLimits, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await addressIn(child);
  return { child, address };
};

const end = async (child: ChildProcess) => {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
};

const signIn = async (address: string): Promise<string> => {
  const response = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenantid': 'demo' },
    body: JSON.stringify({ username: 'radiologist', password }),
  });
  const { data, message }: { data?: { token: string }; message: string } = JSON.parse(await response.text());
  if (!data) throw new Error(`Nobody can sign in: ${message}`);
  return data.token;
};
