// Bundles the server into server/dist, because loading some 2,000 modules one by one takes seconds at each start
// (docs/decisions/0099). Part of npm run build. Threads, child processes and migrations stay files of server/src.
import { dirname, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '..');
const target = resolve(root, 'server/dist');

/** Packages with hundreds of small modules. All other packages stay in node_modules and load from there. */
const bundledPackages = /^(?:@radwork|kysely|zod)(?:\/|$)/;

const isOfProject = (id) => /^[./#]/.test(id);

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
  chunkFileNames: '[name].js',
});
await bundle.close();
const bytes = output.reduce((sum, { code }) => sum + (code?.length ?? 0), 0);
console.log(`Bundled the server: ${(bytes / 1e6).toFixed(1)} MB`);
