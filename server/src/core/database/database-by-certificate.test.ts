import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type Certificate, createAuthority, hasOpenssl } from '#test/certificates.ts';
import { freePort } from '#test/ports.ts';
import { assertConfined, openServingPool } from './database.ts';
import { databaseFault } from '#core/config/unencrypted-connections.ts';
import { migrate } from './migrate.ts';

const installed = '/usr/lib/postgresql';
const [version] = existsSync(installed) ? readdirSync(installed).toSorted() : [];
const programs = join(installed, version ?? '', 'bin');

/**
 * Returns the user that runs PostgreSQL, because PostgreSQL refuses to run as root. On Debian, this is the user
 * "postgres".
 */
const userOfPostgres = (): { uid: number; gid: number } | undefined => {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { uid, gid };
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres']).toString());
  return version === undefined ? undefined : { uid: idOf('-u'), gid: idOf('-g') };
};

const ready = async (server: ChildProcess, url: string): Promise<void> => {
  for (let attempt = 0; attempt < 200 && server.exitCode === null; attempt += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isThere) return;
    await wait(50);
  }
  throw new Error('PostgreSQL does not start');
};

/** Starts a PostgreSQL that accepts the role radwork only with a certificate, not with a password. */
const startPostgres = async (authority: ReturnType<typeof createAuthority>) => {
  const owner = userOfPostgres() ?? { uid: 0, gid: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'radwork-by-certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { cert, key } = authority.issue('database', 'DNS:localhost');
  for (const path of [folder, authority.folder, cert, key, authority.ca]) chownSync(path, owner.uid, owner.gid);
  chmodSync(key, 0o600);
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    {
      ...owner,
      stdio: 'ignore',
    },
  );
  writeFileSync(join(data, 'pg_hba.conf'), 'local all postgres trust\nhostssl all all all cert\n');
  const port = await freePort();
  const settings = { port, ssl: 'on', ssl_cert_file: cert, ssl_key_file: key, ssl_ca_file: authority.ca };
  const options = Object.entries({ ...settings, unix_socket_directories: folder, listen_addresses: 'localhost' });
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...owner,
      stdio: 'ignore',
    },
  );
  onTestFinished(async () => {
    server.kill('SIGINT');
    await once(server, 'exit');
  });
  const local = `postgres://postgres@localhost/postgres?host=${folder}&port=${port}`;
  await ready(server, local);
  const client = new pg.Client({ connectionString: local });
  await client.connect();
  await client.query('create role radwork login createrole');
  await client.query('create database radwork owner radwork');
  await client.end();
  return { port };
};

test.skipIf(!version || !hasOpenssl)(
  "connects to the database by certificate without a password (needs Debian's PostgreSQL and openssl)",
  async () => {
    const authority = createAuthority();
    const own = authority.issue('client', 'DNS:radwork', 'radwork');
    const stranger = createAuthority().issue('stranger', 'DNS:radwork', 'radwork');
    const { port } = await startPostgres(authority);
    const urlWith = (certificate?: Certificate) => {
      const files = certificate ? `&sslcert=${certificate.cert}&sslkey=${certificate.key}` : '';
      return `postgres://radwork@localhost:${port}/radwork?sslmode=verify-full&sslrootcert=${authority.ca}${files}`;
    };
    expect(databaseFault(urlWith(own).replace('localhost', 'db.example.org'))).toBeUndefined();

    expect((await migrate(urlWith(own))).length).toBeGreaterThan(0);
    const pool = openServingPool(urlWith(own), 1);
    onTestFinished(() => pool.end());
    await assertConfined(pool);
    const { rows } = await pool.query('select current_user as role');

    expect(rows).toEqual([{ role: 'radwork_app' }]);
    await expect(migrate(urlWith())).rejects.toThrow(/certificate/);
    await expect(migrate(urlWith(stranger))).rejects.toThrow(/alert|ECONNRESET|EPIPE|terminated/);
  },
  120_000,
);
