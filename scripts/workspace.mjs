// Shared by the commands. Plain JavaScript for the host's Node (20 or later), because it runs before the installation.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
process.chdir(root);

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(
    `Radwork needs Node 20 or later to start. This is ${process.version}. Install a newer one from https://nodejs.org`,
  );
  process.exit(1);
}

const stamps = join(root, 'node_modules', '.radwork');
export const compileCache = join(stamps, 'compile-cache');
const isWindows = process.platform === 'win32';

/** Runs a command in this terminal. Exits with its code when it fails. */
export const run = (command, args, env = {}) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: isWindows, env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
};

/**
 * Returns the path of the pinned Node, or of the running Node if that is version 24 or later. Otherwise exits with 1.
 */
export const pinnedNode = () => {
  const platform = isWindows ? 'win' : process.platform;
  const names = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`];
  const found = names
    .map((name) => join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node'))
    .find((path) => existsSync(path));
  if (found) return found;
  if (major >= 24) return process.execPath;
  console.error(
    `No pinned Node is available for ${process.platform} ${process.arch}. Install Node 24 and start again.`,
  );
  return process.exit(1);
};

/** The environment in which every tool finds the pinned Node first. */
export const withPinnedNode = () => ({
  PATH: [resolve(pinnedNode(), '..'), join(root, 'node_modules', '.bin'), process.env.PATH].join(isWindows ? ';' : ':'),
});

/** The file with the hash of the inputs of the last build of this name. */
export const stampOf = (name) => join(stamps, name);

/** Does `work` if the hash of its inputs has changed since the last time, or if `outcome` does not exist. */
const whenChanged = (name, hash, outcome, work) => {
  const stamp = stampOf(name);
  if (existsSync(outcome) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, hash);
};

const hashOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
};

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

export const ensureInstalled = () =>
  whenChanged('installed', hashOf(['package-lock.json']), 'node_modules/zod', () => {
    console.log('Installing dependencies from the lockfile…');
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
  });

const isCode = (file) => !/\.test\.tsx?$/.test(file);

/** The bundle of the server (docs/decisions/0099), which `npm start` and the journeys run. */
export const serverBundle = 'server/dist/main.js';

/**
 * Builds the web application and the bundle of the server, each when its sources changed. `execute` runs a command and
 * returns whether it succeeded.
 */
export const ensureBuilt = (execute) => {
  const build = (title, script) => {
    console.log(title);
    if (!execute) run('npm', ['run', script], withPinnedNode());
    else if (!execute('npm', ['run', script])) process.exit(1);
  };
  const shared = ['package-lock.json', ...['contract', 'dicom'].flatMap(filesBelow).filter(isCode)];
  const web = [...shared, ...filesBelow('web').filter(isCode)];
  const server = [
    ...shared,
    'server/package.json',
    ...['phantom', 'server/src', 'server/migrations', 'scripts'].flatMap(filesBelow).filter(isCode),
  ];
  whenChanged('built', hashOf(web), 'web/dist/index.html', () => build('Building the web application…', 'build:web'));
  whenChanged('bundled', hashOf(server), serverBundle, () => build('Bundling the server…', 'build:server'));
};
