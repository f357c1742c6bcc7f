import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { freePort } from './ports.ts';

/** True when Debian's caddy is installed. Proxy tests are skipped without it. */
export const hasCaddy = spawnSync('caddy', ['version']).status === 0;

const config = resolve(import.meta.dirname, '../../deploy/Caddyfile');

/** Starts the proxy of `deploy/` in front of servers, without TLS, for the current test. Returns its URL. */
export const startProxy = async (servers: readonly string[]): Promise<string> => {
  const address = `http://127.0.0.1:${await freePort()}`;
  const folder = await mkdtemp(join(tmpdir(), 'radwork-caddy-'));
  const child = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      DOMAIN: address,
      SERVERS: servers.map((server) => new URL(server).host).join(' '),
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await eventually(async () => {
    const { ok } = await fetch(`${address}/health/live`);
    if (!ok) throw new Error('The proxy does not answer yet');
  });
  return address;
};
