import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

const withImports = (bundle: Bundle, start: Rolldown.OutputChunk): Set<string> => {
  const fileNames = new Set([start.fileName]);
  for (const name of fileNames) {
    const chunk = bundle[name];
    if (chunk?.type === 'chunk') for (const imported of chunk.imports) fileNames.add(imported);
  }
  return fileNames;
};

/** Returns the scripts of a module loaded on demand, without the scripts that every page loads. */
const filesOf = (bundle: Bundle, module: string): string[] => {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const viewerChunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!viewerChunk || !entry) throw new Error(`The build has no chunk for ${module}: which one shows pictures?`);
  const loaded = withImports(bundle, entry);
  return [...withImports(bundle, viewerChunk)].filter((file) => !loaded.has(file));
};

/**
 * Writes the names of the standard viewer's scripts into the page, so that the page can fetch them in advance
 * (src/reading/viewer/preload-viewer-scripts.ts).
 */
export const nameViewerFiles = (module: string): Plugin => ({
  name: 'name-viewer-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => [
      { tag: 'meta', attrs: { name: 'viewer-files', content: filesOf(bundle, module).join(' ') }, injectTo: 'head' },
    ],
  },
});
