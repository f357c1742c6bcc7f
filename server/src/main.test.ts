import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const main = resolve(import.meta.dirname, 'main.ts');

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-main-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

type Server = {
  child: ChildProcess;
  lines: AsyncIterator<string>;
  ended: Promise<{ code: number | null; complaint: string }>;
};

/** Starts the server as `npm start` does, with these settings and none of ours. */
const startServer = (settings: Record<string, string>): Server => {
  const child = spawn(process.execPath, [main], {
    env: { HOST: '127.0.0.1', PORT: '0', DEMO: '0', LOG_LEVEL: 'silent', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, complaint }));
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), ended };
};

/** Reads what a server says up to the line that starts so. */
const lineStarting = async ({ lines }: Server, words: string): Promise<string> => {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The server ended without saying "${words}"`);
    if (value.startsWith(words)) return value;
  }
};

const addressOf = async (server: Server) =>
  (await lineStarting(server, 'Radwork is on ')).replace('Radwork is on ', '');

test('the server says where it is, answers there, stops in order when asked to, and starts again', async () => {
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

test('a server that is stopped while it prepares the demo stops in order too', async () => {
  const server = startServer({ DATA_DIR: await newFolder(), DEMO: '1' });

  await lineStarting(server, 'Preparing the demo');
  server.child.kill('SIGINT');

  expect(await server.ended).toEqual({ code: 0, complaint: '' });
});

test('wrong settings are named and nothing is started', async () => {
  const folder = await newFolder();

  const { code, complaint } = await startServer({ DATA_DIR: folder, PORT: 'eighty', SECRET_KEY: 'short' }).ended;

  expect(code).toBe(1);
  expect(complaint).toMatch(/^Radwork cannot start with these settings:\n {2}PORT .+\n {2}SECRET_KEY .+\n$/);
});

test('a port that is taken is named', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    other.close();
  });
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';

  const { code, complaint } = await startServer({ DATA_DIR: await newFolder(), PORT: port }).ended;

  expect(code).toBe(1);
  expect(complaint).toMatch(new RegExp(`^Radwork cannot start: .+ address already in use .+:${port}\\. Set PORT`));
});

test('a database that cannot be reached is said, and the server ends', async () => {
  const settings = { DATA_DIR: await newFolder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

  const { code, complaint } = await startServer(settings).ended;

  expect(code).toBe(1);
  expect(complaint).toContain('ECONNREFUSED');
});
