import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { modules } from '../../server/src/modules.ts';
import { drawing } from './drawing.mjs';
import { foldersToList, listedFolders, pathsIn } from './folders.mjs';
import {
  arrowsOf,
  circlesOf,
  faultsOfCircles,
  faultsOfContract,
  faultsOfFolders,
  faultsOfImports,
  faultsOfScreens,
} from './graph.mjs';
import { codeFiles, importsIn, readImports } from './imports.mjs';

const root = resolve(import.meta.dirname, '../..');
const source = resolve(root, 'server/src');
const imports = readImports(source);

const layers = [{ name: 'identity' }, { name: 'imaging' }, { name: 'reading' }];
const importOf = (from, to, isTest = false) => ({ from, to, isTest });

test('each feature of the server is a folder in exactly one module', () => {
  expect(faultsOfFolders(modules, codeFiles(source))).toEqual([]);
});

test('no module of the server imports a later module, and core imports no feature', () => {
  expect(imports.length).toBeGreaterThan(1000);
  expect(faultsOfImports(modules, imports)).toEqual([]);
});

test('no module of the contract imports a later module, and its shared files import no module', () => {
  const ofContract = readImports(resolve(root, 'contract/src'));

  expect(ofContract.length).toBeGreaterThan(100);
  expect(faultsOfContract(modules, ofContract)).toEqual([]);
});

test('features of the web side do not import each other, and its kits import no feature', () => {
  const ofWeb = readImports(resolve(root, 'web/src'));

  expect(ofWeb.length).toBeGreaterThan(1000);
  expect(faultsOfScreens(modules, ofWeb)).toEqual([]);
});

test('no features of the server import each other in a circle', () => {
  expect(faultsOfCircles(arrowsOf(imports))).toEqual([]);
});

test('no files of server, contract, web and DICOM package import each other in a circle, not even types', () => {
  const circles = ['server/src', 'contract/src', 'web/src', 'dicom/src'].flatMap((folder) =>
    circlesOf(readImports(resolve(root, folder)).filter(({ isTest }) => !isTest)),
  );

  expect(circles).toEqual([]);
});

test('the list of folders names each part of a module, and only folders that exist', () => {
  const listed = listedFolders(readFileSync(resolve(root, 'docs/architecture/folders.md'), 'utf8'));
  const onDisk = foldersToList(root, modules);

  expect(onDisk.length).toBeGreaterThan(100);
  expect(onDisk.filter((folder) => !listed.includes(folder))).toEqual([]);
  expect(listed.filter((folder) => !onDisk.includes(folder))).toEqual([]);
});

test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('each path in %s exists', (page) => {
  const paths = pathsIn(readFileSync(resolve(root, page), 'utf8'));

  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});

test('a list of folders is read with the whole path of each, without headings that name no folder', () => {
  const page = '# Folders\n\n## Modules\n\n| `reading` | x |\n\n## web/src/ui\n\n| `./` | x |\n| `tables` | x |\n';

  expect(listedFolders(page)).toEqual(['web/src/ui/tables']);
});

test('the drawing of the modules is up to date', () => {
  expect(readFileSync(resolve(root, 'docs/architecture/modules.md'), 'utf8')).toBe(
    drawing(modules, imports, codeFiles(source)),
  );
});

test('a forbidden import into a later module is reported with both files and the way to fix it', () => {
  const back = importOf('imaging/patients/move-study.ts', 'reading/reports/refiled-reports.ts');

  expect(
    faultsOfImports(layers, [back, importOf('reading/reports/list.ts', 'imaging/archive/store/store-instances.ts')]),
  ).toEqual([
    'imaging/patients/move-study.ts imports reading/reports/refiled-reports.ts: imaging does not know reading; ' +
      'emit an event instead (core/events/extensions.ts)',
  ]);
});

test('the check reports core importing a feature, and a feature importing the assembly', () => {
  expect(
    faultsOfImports(layers, [
      importOf('core/access/scope.ts', 'identity/users/list-users.ts'),
      importOf('core/access/scope.ts', 'imaging/archive/store/store-instances.ts'),
      importOf('identity/users/list-users.ts', 'extensions.ts'),
      importOf('identity/users/list-users.ts', 'backup/restore.ts'),
      importOf('identity/users/list-users.ts', 'core/access/scope.ts'),
      importOf('features.ts', 'identity/users/list-users.ts'),
    ]),
  ).toEqual([
    'core/access/scope.ts imports identity/users/list-users.ts: core knows no feature',
    'core/access/scope.ts imports imaging/archive/store/store-instances.ts: core knows no feature',
    'identity/users/list-users.ts imports extensions.ts: a feature does not know how the server is put together',
    'identity/users/list-users.ts imports backup/restore.ts: a feature does not know how the server is put together',
  ]);
});

test('a forbidden import into a later module of the contract is reported', () => {
  expect(
    faultsOfContract(layers, [
      importOf('imaging/studies.ts', 'reading/reports.ts'),
      importOf('core/paging.ts', 'imaging/studies.ts'),
      importOf('identity/audit.ts', 'all.ts'),
      importOf('reading/reports.ts', 'imaging/studies.ts'),
      importOf('imaging/studies.ts', 'core/paging.ts'),
      importOf('all.ts', 'reading/reports.ts'),
    ]),
  ).toEqual([
    'contract: imaging/studies.ts imports reading/reports.ts: imaging does not know reading; move what both need into a lower file',
    'contract: core/paging.ts imports imaging/studies.ts: the shared part does not know imaging; move what both need into a lower file',
    'contract: identity/audit.ts imports all.ts: identity does not know the collection; move what both need into a lower file',
  ]);
});

test('an import of the web side upward or into another feature is reported', () => {
  const allowed = [
    importOf('app/routing/router.tsx', 'reading/reports/list/reports-screen.tsx'),
    importOf('reading/reports/panel/report-panel.tsx', 'reading/reports/writing/use-draft.ts'),
    importOf('reading/reports/panel/report-panel.tsx', 'reading/editor/report-editor.tsx'),
    importOf('reading/editor/report-editor.tsx', 'ui/forms/field.tsx'),
    importOf('ui/forms/field.tsx', 'core/http/api.ts'),
    importOf('main.tsx', 'app/app.tsx'),
  ];
  const forbidden = [
    ['reading/reports/a.ts', 'reading/templates/b.ts'],
    ['reading/reports/a.ts', 'imaging/studies/b.ts'],
    ['reading/reports/a.ts', 'reading/viewer/b.ts'],
    ['imaging/studies/a.ts', 'reading/editor/b.ts'],
    ['imaging/studies/a.ts', 'app/b.ts'],
    ['reading/editor/a.ts', 'reading/reports/b.ts'],
    ['ui/a.ts', 'imaging/studies/b.ts'],
    ['core/a.ts', 'ui/b.ts'],
  ].map(([from, to]) => importOf(from, to, true));

  expect(faultsOfScreens(layers, allowed)).toEqual([]);
  expect(faultsOfScreens(layers, forbidden)).toHaveLength(forbidden.length);
  expect(faultsOfScreens(layers, forbidden.slice(0, 1))).toEqual([
    'web: reading/reports/a.ts imports reading/templates/b.ts: reading/reports does not know reading/templates; app/ composes them',
  ]);
});

test('imports of tests count neither as forbidden nor as a circle', () => {
  const ofTest = importOf('imaging/patients/moves.test.ts', 'reading/reports/service.ts', true);

  expect(faultsOfImports(layers, [ofTest])).toEqual([]);
  expect(arrowsOf([ofTest])).toEqual([]);
});

test('a circle of features inside a module is reported with its imports', () => {
  const arrows = arrowsOf([
    importOf('imaging/studies/a.ts', 'imaging/patients/b.ts'),
    importOf('imaging/patients/c.ts', 'imaging/archive/d.ts'),
    importOf('imaging/archive/e.ts', 'imaging/studies/f.ts'),
    importOf('reading/reports/g.ts', 'imaging/studies/f.ts'),
  ]);

  expect(circlesOf(arrows)).toEqual([['archive', 'patients', 'studies']]);
  expect(faultsOfCircles(arrows)).toEqual([
    [
      'archive, patients, studies import each other in a circle; move what they share into a lower feature, or emit an event:',
      '  imaging/studies/a.ts imports imaging/patients/b.ts (1)',
      '  imaging/patients/c.ts imports imaging/archive/d.ts (1)',
      '  imaging/archive/e.ts imports imaging/studies/f.ts (1)',
    ].join('\n'),
  ]);
});

test('a feature in no module or in two, a file in no feature and a module without a folder are reported', () => {
  const files = [
    'identity/users/feature.ts',
    'imaging/users/service.ts',
    'imaging/moves.ts',
    'rooms/beds/feature.ts',
    'core/feature.ts',
  ];

  expect(faultsOfFolders(layers, files)).toEqual([
    'rooms/beds/feature.ts is in no module (modules.ts)',
    'imaging/moves.ts is in a module, but no feature',
    'modules.ts names reading, which has no folder',
    'users is in two modules',
  ]);
});

test('the check reads static, dynamic and type imports, re-exports and files of workers', () => {
  expect(
    importsIn(`
      import { a } from './a.ts';
      import type { B } from '#identity/b/b.ts';
      import {
        c,
        d,
      } from './c.ts';
      export * from './e.ts';
      import './f.ts';
      const g = await import('./g.ts');
      new Worker(new URL('./h.ts', import.meta.url));
    `),
  ).toEqual(['./a.ts', '#identity/b/b.ts', './c.ts', './e.ts', './f.ts', './g.ts', './h.ts']);
});
