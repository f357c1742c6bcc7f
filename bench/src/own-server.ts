import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const password = 'a password for the benchmark';

export type OwnServer = {
  address: string;
  pid: number;
  /** Headers of a signed-in radiologist. */
  headers: Record<string, string>;
  stop: () => Promise<void>;
};

/** Starts a server of its own on an empty data folder, with the embedded database, and signs in. */
export const startOwnServer = async (): Promise<OwnServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-bench-'));
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: '',
      DEMO: '1',
      DEMO_PASSWORD: password,
      LOG_LEVEL: 'error',
    },
  });
  const address = await addressOf(server);
  const token = await signIn(address);
  return {
    address,
    pid: server.pid ?? 0,
    headers: { authorization: `Bearer ${token}` },
    stop: async () => {
      const ended = new Promise((done) => server.once('exit', done));
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** The address that the server prints, once it has also loaded its demo users. */
const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((done, fail) => {
    let said = '';
    server.once('exit', (code) => fail(new Error(`The server ended with ${code}: ${said}`)));
    server.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, address] = /Radwork is on (http:\S+)/.exec(said) ?? [];
      if (address && said.includes(password)) done(address);
    });
  });

const signIn = async (address: string): Promise<string> => {
  const response = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'radiologist', password }),
  });
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
};
