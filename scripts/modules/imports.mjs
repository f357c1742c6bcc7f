import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const codeFile = /\.(?:ts|tsx|mts)$/;
const testFile = /\.test\.tsx?$/;

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : codeFile.test(entry.name) ? [path] : [];
  });

/** Static, dynamic and type imports, re-exports, and files of workers. */
const importPattern = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\bnew\s+URL\(\s*)(['"])([^'"\n]+)\1/g;

export const importsIn = (text) => [...text.matchAll(importPattern)].map(([, , specifier]) => specifier);

/** Returns the imports between files of a folder, with paths relative to it. `#x/y` is the file `x/y`. */
export const readImports = (folder) =>
  filesIn(folder).flatMap((file) =>
    importsIn(readFileSync(file, 'utf8')).flatMap((whole) => {
      const [specifier] = whole.split('?');
      const target = specifier.startsWith('#')
        ? join(folder, specifier.slice(1))
        : specifier.startsWith('.')
          ? resolve(dirname(file), specifier)
          : undefined;
      if (target === undefined || !existsSync(target) || !codeFile.test(target)) return [];
      const [from, to] = [file, target].map((path) => relative(folder, path).split(sep).join('/'));
      return to.startsWith('../') ? [] : [{ from, to, isTest: testFile.test(from) }];
    }),
  );

/** Returns the code files of a folder, with paths relative to it. */
export const codeFiles = (folder) => filesIn(folder).map((file) => relative(folder, file).split(sep).join('/'));
