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

/** Returns the style sheets of scripts. A script runs only after they have loaded. */
const stylesOf = (bundle: Bundle, scripts: readonly string[]): string[] => {
  const styles = scripts.flatMap((script) => {
    const chunk = bundle[script];
    return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
  });
  return [...new Set(styles)];
};

const nameOf = (name: string, files: readonly string[]): string =>
  `<meta name="${name}" content="${files.join(' ')}" />`;

/** The script of the page that reads the names. */
const reader = '<script src="/assets/first-request.js"></script>';

type Screens = {
  /** Module that shows the first image. */
  first: string;
  /** Module of the standard viewer. */
  standard: string;
  studyList: string;
  studyPage: string;
};

/**
 * Writes file names into the page, before the script that reads them, so that the page can fetch the files in advance. public/assets/first-request.js fetches
 * scripts and style sheets of the first image, the study list or the study page. preload-viewer-scripts.ts fetches the
 * scripts of the standard viewer. Without this, scripts wait until the code of all pages has run. Style sheets also wait
 * until the server has confirmed the session.
 */
export const nameScreenFiles = ({ first, standard, studyList, studyPage }: Screens): Plugin => ({
  name: 'name-screen-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      if (html.split(reader).length !== 2) throw new Error('index.html does not have the script that reads file names');
      const withStyles = (module: string) => {
        const scripts = filesOf(bundle, module);
        return [...scripts, ...stylesOf(bundle, scripts)];
      };
      const names = [
        nameOf('first-viewer-files', withStyles(first)),
        nameOf('viewer-files', filesOf(bundle, standard)),
        nameOf('study-list-files', withStyles(studyList)),
        nameOf('study-page-files', withStyles(studyPage)),
      ];
      return html.replace(reader, [...names, reader].join('\n    '));
    },
  },
});
