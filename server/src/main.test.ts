import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addressOf, lineStarting, startServer } from '#test/server-process.ts';

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-main-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

test('the server prints its URL, answers, stops in order and starts again', async () => {
  const settings = { DATA_DIR: await newFolder() };

  for (const round of ['first', 'second']) {
    const server = startServer(settings);
    const address = await addressOf(server);
    const about = await fetch(`${address}/api/about`);
    server.child.kill('SIGTERM');

    expect({ round, address }).toEqual({ round, address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(await about.json()).toMatchObject({ code: 200, data: { name: 'Radwork' } });
    expect(await server.ended).toEqual({ code: 0, complaint: '' });
  }
});

test('a server that is stopped while it loads the demo also stops in order', async () => {
  const server = startServer({ DATA_DIR: await newFolder(), DEMO: '1' });

  await lineStarting(server, 'Preparing the demo');
  server.child.kill('SIGINT');

  expect(await server.ended).toEqual({ code: 0, complaint: '' });
});

test('names invalid settings and does not start the server', async () => {
  const folder = await newFolder();

  const { code, complaint } = await startServer({ DATA_DIR: folder, PORT: 'eighty', SECRET_KEY: 'short' }).ended;

  expect(code).toBe(1);
  expect(complaint).toMatch(/^Radwork cannot start with these settings:\n {2}PORT .+\n {2}SECRET_KEY .+\n$/);
});

test('names a port that is already in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    other.close();
  });
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';

  const { code, complaint } = await startServer({ DATA_DIR: await newFolder(), PORT: port }).ended;

  expect(code).toBe(1);
  expect(complaint).toMatch(
    new RegExp(`^Radwork cannot start: .+ address already in use .+:${port}\\. Set another PORT`),
  );
});

test('a server reports an unreachable database and ends', async () => {
  const settings = { DATA_DIR: await newFolder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

  const { code, complaint } = await startServer(settings).ended;

  expect(code).toBe(1);
  expect(complaint).toContain('ECONNREFUSED');
});

test('a server reports an unreachable object store without its secret and ends', async () => {
  const settings = {
    DATA_DIR: await newFolder(),
    STORAGE_URL: 's3://KEY:HIDDEN@127.0.0.1:1/archive?tls=0',
    SECRET_KEY: 'a-secret-of-at-least-32-characters',
  };

  const { code, complaint } = await startServer(settings).ended;

  expect(code).toBe(1);
  expect(complaint).toBe(
    'Radwork cannot start: the bucket archive at http://127.0.0.1:1 cannot be used (ECONNREFUSED).\n',
  );
});
