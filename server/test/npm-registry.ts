import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Package data that npm requests before the advisories. */
const packument = {
  name: 'fastify',
  'dist-tags': { latest: '5.0.0' },
  versions: { '5.0.0': { name: 'fastify', version: '5.0.0' } },
};

/** Starts a registry with advisories for fastify, or with none available (`undefined`). */
export const startRegistry = async (advisories: object | undefined): Promise<string> => {
  const registry = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(packument));
    else if (!advisories) response.writeHead(405).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(advisories));
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  onTestFinished(() => {
    registry.close();
  });
  const address = registry.address();
  if (!address || typeof address === 'string') throw new Error('The registry has no port');
  return `http://127.0.0.1:${address.port}/`;
};

/** Runs `scripts/audit.mjs` against a registry and returns its exit code and output. */
export const audit = async (registry: string) => {
  const cache = mkdtempSync(join(tmpdir(), 'radwork-npm-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['scripts/audit.mjs'], {
    cwd: root,
    env: { ...process.env, npm_config_registry: registry, npm_config_cache: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said: output, complaint };
};
