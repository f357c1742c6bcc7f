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
  const screenChunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!screenChunk || !entry) throw new Error(`The build has no chunk for ${module}: which one shows the screen?`);
  const loaded = withImports(bundle, entry);
  return [...withImports(bundle, screenChunk)].filter((file) => !loaded.has(file));
};

const nameOf = (name: string, files: readonly string[]) => ({
  tag: 'meta',
  attrs: { name, content: files.join(' ') },
  injectTo: 'head' as const,
});

type Screens = {
  /** Module that shows the first image. */
  first: string;
  /** Module of the standard viewer. */
  standard: string;
  studyList: string;
  studyPage: string;
};

/**
 * Writes script names into the page, so that the page can fetch them in advance: those of the module that shows the first
 * image, of the study list and of the study page (public/assets/first-request.js), and those of the standard viewer
 * (src/reading/viewer/preload-viewer-scripts.ts). Otherwise they wait until the code of all pages has run.
 */
export const nameScreenFiles = ({ first, standard, studyList, studyPage }: Screens): Plugin => ({
  name: 'name-screen-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => [
      nameOf('first-viewer-files', filesOf(bundle, first)),
      nameOf('viewer-files', filesOf(bundle, standard)),
      nameOf('study-list-files', filesOf(bundle, studyList)),
      nameOf('study-page-files', filesOf(bundle, studyPage)),
    ],
  },
});
