import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the folders that docs/architecture/folders.md lists, by their whole path. A heading with a path begins a
 * section; the first column of its table has folders in it. `./` is the section's own folder.
 */
export const listedFolders = (page) =>
  page.split('\n## ').flatMap((section) => {
    const [heading, ...lines] = section.split('\n');
    if (!/^[a-z]+\/src\//.test(heading)) return [];
    return lines.flatMap((line) => {
      const [, name] = /^\| `([^`]+)` +\|/.exec(line) ?? [];
      return name === undefined || name === './' ? [] : [`${heading}/${name}`];
    });
  });

const foldersIn = (root, path) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [`${path}/${name}`, ...foldersIn(root, `${path}/${name}`)]);

/** Returns the folders that the page must list: the parts of features, of core, of the kit and of the app. */
export const foldersToList = (root, modules) =>
  ['contract/src', 'server/src', 'web/src']
    .flatMap((source) => foldersIn(root, source))
    .filter((path) => {
      const [, , first, second, third] = path.split('/');
      const isInModule = modules.some(({ name }) => name === first);
      return isInModule ? third !== undefined : second !== undefined;
    });

/** Returns the paths in a page that begin with a workspace, without those that stand for any module or noun. */
export const pathsIn = (page) =>
  [...page.matchAll(/`((?:contract|dicom|phantom|server|web|e2e|bench|scripts|docs|messages)\/[^`\s]*)`/g)]
    .map(([, path]) => path)
    .filter((path) => !/[*<>]|MODULE|NNNN|LANGUAGE/.test(path));
