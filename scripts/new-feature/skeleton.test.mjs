import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { generated, writeFeature } from './skeleton.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'radwork-noun-'));
afterAll(() => rmSync(folder, { recursive: true }));

const collectors = ['contract/src/all.ts', 'server/src/features.ts', 'web/src/app/routing/screen-routes.tsx'];
for (const path of [...collectors, 'server/migrations'])
  cpSync(join(root, path), join(folder, path), { recursive: true });
const before = Object.fromEntries(collectors.map((path) => [path, readFileSync(join(root, path), 'utf8').split('\n')]));

const { made, changed } = writeFeature(folder, 'imaging', 'film-scanners');
const textOf = (path) => readFileSync(join(folder, path), 'utf8');
const added = (path) =>
  textOf(path)
    .split('\n')
    .filter((line) => !before[path].includes(line));

test('a new feature changes at most 12 files, new and changed together', () => {
  expect([...made, ...changed, generated].length).toBeLessThanOrEqual(12);
});

test('the recipe in CONTRIBUTING.md names each file of a new feature', () => {
  const recipe = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').replaceAll('`', '');
  const named = [...made, ...changed, generated].map((path) =>
    path
      .replaceAll(/\d{4}_film_scanners/g, 'NNNN_x')
      .replaceAll('film-scanners', 'x')
      .replaceAll('/imaging/', '/MODULE/'),
  );

  expect(named.filter((path) => !recipe.includes(path))).toEqual([]);
  const byHand = made.length + changed.length;
  expect(recipe).toContain(`${byHand} files by hand (${made.length} new, ${changed.length} changed)`);
});

test('each list gets one import and one entry for a new feature', () => {
  expect(added('contract/src/all.ts')).toEqual([
    "import { noun as filmScanners } from './imaging/film-scanners.ts';",
    '  filmScanners,',
  ]);
  expect(added('server/src/features.ts')).toEqual([
    "import { feature as filmScanners } from './imaging/film-scanners/feature.ts';",
    '  filmScanners,',
  ]);
  const routes = textOf('web/src/app/routing/screen-routes.tsx');
  const route = added('web/src/app/routing/screen-routes.tsx').join('\n');
  expect(route).toContain("path: '/film-scanners'");
  expect(route).toContain("import('#imaging/film-scanners/film-scanners-screen.tsx')");
  expect(routes.match(/from '@tabler\/icons-react'/g)).toHaveLength(1);
});

test('names of a new feature follow the conventions of server, contract and web', () => {
  const contract = textOf('contract/src/imaging/film-scanners.ts');

  expect(contract).toContain("post('/film-scanners', { can: 'config.manage', audited: 'film_scanner.create'");
  expect(contract).toContain("entities: ['film_scanner']");
  expect(textOf(made.find((path) => dirname(path) === 'server/migrations'))).toContain(
    "select confine('film_scanners');",
  );
  expect(textOf('server/src/imaging/film-scanners/feature.samples.ts')).toContain("'/film-scanners/': 'filmScannerId'");
});

const codeFiles = made.filter((path) => !path.endsWith('.sql'));

/** Returns the file that a specifier names, relative to the root; undefined for a package. */
const fileOf = (path, specifier) => {
  const [, begin, rest] = /^(#|@radwork\/contract\/|\.\.?\/)(.+)$/.exec(specifier) ?? [];
  if (begin === undefined) return undefined;
  if (begin === '@radwork/contract/') return `contract/src/${rest}.ts`;
  if (begin !== '#') return join(dirname(path), begin, rest);
  const [workspace] = path.split('/');
  return rest.startsWith('test/') ? `${workspace}/${rest}` : `${workspace}/src/${rest}`;
};

/** Returns each name that a file imports: the name in the other file, and the name here. */
const namesImportedBy = (path) =>
  [...textOf(path).matchAll(/^import (?:type )?\{([^}]+)\} from '([^']+)';$/gm)].flatMap(([, list, specifier]) =>
    list
      .split(',')
      .map((part) => part.trim().replace(/^type /, ''))
      .filter((part) => part !== '')
      .map((part) => {
        const [name, local = name] = part.split(' as ');
        return { path, name, local, file: fileOf(path, specifier) };
      }),
  );

test('each import of another file in a new feature names a file that exists, and an export of it', () => {
  const named = codeFiles.flatMap(namesImportedBy).filter(({ file }) => file !== undefined);
  const sourceOf = (file) => (made.includes(file) ? textOf(file) : readFileSync(join(root, file), 'utf8'));
  const exists = ({ file }) => made.includes(file) || existsSync(join(root, file));
  const isExported = ({ name, file }) =>
    new RegExp(
      `^export (async )?(const|function|class|type) ${name}\\b|^export (type )?\\{[^}]*\\b${name}\\b`,
      'm',
    ).test(sourceOf(file));

  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((imported) => !exists(imported))).toEqual([]);
  expect(named.filter((imported) => !isExported(imported))).toEqual([]);
});

/** Words of the language that precede a parenthesis. */
const known = ['if', 'for', 'while', 'switch', 'catch', 'return', 'await', 'async', 'function', 'void', 'new'];

test('each function and component that a new feature uses is imported or defined in its file', () => {
  const missing = codeFiles.flatMap((path) => {
    const text = textOf(path);
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '');
    const used = [...code.matchAll(/(?<![.\w])([A-Za-z]\w*)\(|(?<=[\s(])<([A-Z]\w*)/g)].map(
      ([, called, component]) => called ?? component,
    );
    const imported = namesImportedBy(path).map(({ local }) => local);
    // Somewhere a name must also stand without a call: where it is declared, as a parameter or as a constant.
    const isDefined = (name) => new RegExp(`function ${name}\\b|(?<![<.\\w])${name}\\b(?!\\()`).test(code);
    return [...new Set(used)]
      .filter((name) => !known.includes(name) && !imported.includes(name) && !isDefined(name))
      .map((name) => `${path}: ${name}`);
  });

  expect(missing).toEqual([]);
});

test('each name that a new feature imports is used', () => {
  const idle = codeFiles
    .flatMap(namesImportedBy)
    .filter(({ path, local }) => [...textOf(path).matchAll(new RegExp(`\\b${local}\\b`, 'g'))].length < 2);

  expect(idle).toEqual([]);
});

test('the script refuses an unknown module, a name in another form, and a feature that exists', () => {
  expect(() => writeFeature(folder, 'scanners', '')).toThrow('Give a module first: identity, imaging');
  expect(() => writeFeature(folder, 'imaging', 'Scanner')).toThrow('plural name in kebab-case');
  expect(() => writeFeature(folder, 'imaging', 'film-scanners')).toThrow(
    'There is already contract/src/imaging/film-scanners.ts',
  );
});
