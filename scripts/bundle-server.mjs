// Bundles the server into server/dist, because loading some 2,000 modules one by one takes seconds at each start
// (docs/decisions/0099). Part of npm run build. Threads, child processes and migrations stay files of server/src.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { stampOf } from './workspace.mjs';

const root = resolve(import.meta.dirname, '..');
const target = resolve(root, 'server/dist');

/** Packages with hundreds of small modules. All other packages stay in node_modules and load from there. */
const bundledPackages = /^(?:@radwork|kysely|zod)(?:\/|$)/;

const isOfProject = (id) => /^[.#]/.test(id) || isAbsolute(id);

/** The path of a source file or folder as an expression that the bundle resolves from its own place. */
const placeOf = (path) => `new URL(${JSON.stringify(`./${relative(target, path)}`)}, import.meta.url)`;

/** Keeps the paths that a source file derives from its own place, for example of threads and migrations. */
const sourcePlaces = {
  name: 'source-places',
  transform(code, id) {
    if (!code.includes('import.meta.') || id.includes('node_modules')) return undefined;
    return {
      code: code
        .replaceAll('import.meta.url', `${placeOf(id)}.href`)
        .replaceAll(
          'import.meta.dirname',
          `process.getBuiltinModule('node:url').fileURLToPath(${placeOf(dirname(id))})`,
        ),
      map: null,
    };
  },
};

// Until this build ends, no bundle counts as current.
rmSync(stampOf('bundled'), { force: true });
const bundle = await rolldown({
  input: { main: resolve(root, 'server/src/main.ts') },
  platform: 'node',
  external: (id) => !isOfProject(id) && !bundledPackages.test(id),
  plugins: [sourcePlaces],
});
const { output } = await bundle.write({
  dir: target,
  format: 'esm',
  cleanDir: true,
  entryFileNames: '[name].js',
  // A server that is still running must not load a part of the next bundle: their names differ.
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
// The server compares this with the disk at each start, because it reads migrations and threads from there.
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const migrations = readdirSync(join(root, 'server/migrations'))
  .filter((name) => name.endsWith('.sql'))
  .toSorted();
writeFileSync(join(target, 'made-of.json'), JSON.stringify({ version, migrations }));
const bytes = output.reduce((sum, { code }) => sum + (code?.length ?? 0), 0);
console.log(`Bundled the server: ${(bytes / 1e6).toFixed(1)} MB`);
