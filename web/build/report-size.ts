import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger, Plugin, Rolldown } from 'vite';

/** What a browser fetches before it can show a screen: compressed bytes, files, and whose code is in them. */
export type FirstLoad = { bytes: number; files: string[]; packages: string[] };

type Bundle = Rolldown.OutputBundle;

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((output) => output.type === 'chunk');

/** The chunks of an entry and of one route, with everything they import statically. */
const chunksBefore = (bundle: Bundle, route: string): Rolldown.OutputChunk[] => {
  const starts = chunksOf(bundle).filter(({ isEntry, facadeModuleId }) => isEntry || facadeModuleId?.endsWith(route));
  if (starts.length < 2) throw new Error(`The build has no chunk for ${route}: which screen is loaded first?`);
  const found = new Set(starts);
  for (const { imports } of found) {
    for (const name of imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') found.add(imported);
    }
  }
  return [...found];
};

/** "@tiptap/core" of ".../node_modules/@tiptap/core/dist/index.js"; undefined for our own code. */
const packageOf = (module: string): string | undefined =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(module)?.[1];

const measure = async (folder: string, chunks: readonly Rolldown.OutputChunk[]): Promise<FirstLoad> => {
  const files = chunks.map(({ fileName }) => fileName).toSorted();
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, `${file}.br`))).size));
  const packages = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((module) => packageOf(module) ?? [])));
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files, packages: [...packages].toSorted() };
};

/**
 * Says after a build how much JavaScript the first load of a screen transfers, as the server sends it (Brotli), and
 * writes it to first-load.json for the test that keeps it small. It stands after the plugin that compresses.
 */
export const reportSize = (route: string): Plugin => {
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
        const load = await measure(dir, chunksBefore(bundle, route));
        await writeFile(join(dir, 'first-load.json'), `${JSON.stringify(load, null, 2)}\n`);
        logger?.info(`First load of ${route}: ${(load.bytes / 1000).toFixed(1)} kB of JavaScript, Brotli`);
      },
    },
  };
};
