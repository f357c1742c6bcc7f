import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { checkPromises } from '../../bench/src/torture/clients.ts';

const program = resolve(import.meta.dirname, '../../bench/src/torture/main.ts');
const canKill = existsSync('/proc/self/stat');

test('the check counts lost images and changed images', async () => {
  const intact = Buffer.from('an image');
  const planted = createServer(({ url = '' }, response) => {
    response.writeHead(url.endsWith('/lost') ? 404 : 200).end(url.endsWith('/changed') ? 'another image' : intact);
  });
  await new Promise<void>((done) => planted.listen(0, '127.0.0.1', done));
  onTestFinished(() => void planted.close());
  const { port } = planted.address() as AddressInfo;
  const sha256 = createHash('sha256').update(intact).digest('hex');
  const promised = new Map(['/kept', '/lost', '/changed'].map((path) => [path, sha256]));

  const counted = await checkPromises({ address: () => `http://127.0.0.1:${port}`, token: '' }, promised);

  expect(counted).toEqual({ lost: ['/lost (404)'], changed: ['/changed'] });
});

/** The long run is `node bench/src/torture/main.ts`. It reports its counts. */
test.skipIf(!canKill)(
  'killing a server with its database under load loses no image and leaves no file (skipped without /proc)',
  { timeout: 180_000 },
  async () => {
    const child = spawn(process.execPath, [program, '--rounds', '2', '--kill', 'all'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);

    expect(output).toContain('lost: 0, changed: 0, differences: 0, leftovers: 0');
    expect(child.exitCode).toBe(0);
  },
);
