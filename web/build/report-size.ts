import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger, Plugin, Rolldown } from 'vite';

/** Screen to measure, and the modules that it loads before it is usable. */
export type Screen = { name: string; modules: readonly [string, ...string[]]; hasDecoders?: boolean };

/** Data that a browser loads before a screen is usable: compressed bytes, files, and the packages they contain. */
export type FirstLoad = { name: string; bytes: number; files: string[]; packages: string[] };

type Bundle = Rolldown.OutputBundle;

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((output) => output.type === 'chunk');

type ImportOptions = { andLater?: boolean; without?: ReadonlySet<Rolldown.OutputChunk> };

/**
 * Returns chunks with all chunks that they import statically, except those in `without`. With `andLater`, includes
 * dynamic imports.
 */
const withImports = (
  bundle: Bundle,
  starts: readonly Rolldown.OutputChunk[],
  { andLater, without }: ImportOptions = {},
) => {
  const chunks = new Set(starts);
  for (const { imports, dynamicImports } of chunks) {
    for (const name of andLater ? [...imports, ...dynamicImports] : imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk' && !without?.has(imported)) chunks.add(imported);
    }
  }
  return chunks;
};

const chunkOf = (bundle: Bundle, module: string): Rolldown.OutputChunk => {
  const chunks = chunksOf(bundle);
  const chunk =
    chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module)) ??
    chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
  if (!chunk) throw new Error(`The build has no chunk for ${module}: which modules does the screen load?`);
  return chunk;
};

/** Returns the chunks of the entry and of the modules of a screen, with all static imports. */
const chunksBefore = (bundle: Bundle, modules: readonly string[]): Rolldown.OutputChunk[] => {
  const entries = chunksOf(bundle).filter(({ isEntry }) => isEntry);
  return [...withImports(bundle, [...entries, ...modules.map((module) => chunkOf(bundle, module))])];
};

/** Returns the files of modules loaded on demand, without the files that every page loads. */
const filesOnDemand = (bundle: Bundle, modules: readonly string[], way: ImportOptions = {}): string[] => {
  const starts = modules.map((module) => chunkOf(bundle, module));
  const entries = chunksOf(bundle).filter(({ isEntry }) => isEntry);
  const chunks = withImports(bundle, starts, { ...way, without: withImports(bundle, entries) });
  return [...chunks].map(({ fileName }) => fileName);
};

/** Returns "@tiptap/core" for ".../node_modules/@tiptap/core/dist/index.js"; undefined for our own code. */
const packageOf = (module: string): string | undefined =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(module)?.[1];

const transferred = async (folder: string, files: readonly string[], ending: 'br' | 'gz'): Promise<number> => {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, `${file}.${ending}`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const measure = async (folder: string, bundle: Bundle, screen: Screen): Promise<FirstLoad> => {
  const chunks = chunksBefore(bundle, screen.modules);
  const scripts = chunks.map(({ fileName }) => fileName);
  const files = [...scripts, ...(screen.hasDecoders ? decoders(bundle) : [])].toSorted();
  const packages = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((module) => packageOf(module) ?? [])));
  return {
    name: screen.name,
    bytes: await transferred(folder, files, 'br'),
    files,
    packages: [...packages].toSorted(),
  };
};

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

const inWords = async (folder: string, what: string, files: readonly string[]): Promise<string> => {
  const [brotli, gzip] = [await transferred(folder, files, 'br'), await transferred(folder, files, 'gz')];
  return `${what}: ${files.length} files, ${kilobytes(brotli)} of JavaScript by Brotli, ${kilobytes(gzip)} by gzip`;
};

/** Returns the scripts that decode frames. They start as workers, so no chunk imports them. */
const decoders = (bundle: Bundle): string[] =>
  Object.keys(bundle).filter((file) => /decodeImageFrameWorker[^/]*\.js$/.test(file));

/**
 * Logs the JavaScript size of each screen's first load after a build, compressed with Brotli as the server sends it.
 * Writes the sizes to first-load.json, for the test of their limits. Also logs the size of code loaded on demand: for the first
 * viewer, and for all viewers with dynamic imports. Must run after the plugin that compresses.
 */
export const reportSize = (screens: readonly Screen[], viewers: readonly [string, ...string[]]): Plugin => {
  let logger: Logger | undefined;
  return {
    name: 'report-size',
    apply: 'build',
    configResolved: (config) => {
      logger = config.logger;
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: async ({ dir = '' }, bundle) => {
        const loads = await Promise.all(screens.map((screen) => measure(dir, bundle, screen)));
        await writeFile(join(dir, 'first-load.json'), `${JSON.stringify(loads, null, 2)}\n`);
        for (const { name, bytes, files } of loads) {
          logger?.info(`First load of the ${name}: ${files.length} files, ${kilobytes(bytes)} of JavaScript by Brotli`);
        }
        const [first] = viewers;
        const onDemand = [...filesOnDemand(bundle, [first]), ...decoders(bundle)];
        logger?.info(await inWords(dir, `On demand for ${first}, its decoders included`, onDemand));
        const all = [...filesOnDemand(bundle, viewers, { andLater: true }), ...decoders(bundle)];
        logger?.info(await inWords(dir, 'On demand for all viewers, whatever is done in them', all));
      },
    },
  };
};
