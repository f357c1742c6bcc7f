import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { modules } from '../../server/src/modules.ts';
import { drawing } from './drawing.mjs';
import { arrowsOf, circlesOf, faultsOfCircles, faultsOfContract, faultsOfImports, faultsOfTable } from './graph.mjs';
import { featureFolders, importsIn, readImports } from './imports.mjs';

const root = resolve(import.meta.dirname, '../..');
const source = resolve(root, 'server/src');
const imports = readImports(source);

const layers = [
  { name: 'identity', features: ['users', 'roles'] },
  { name: 'imaging', features: ['archive', 'studies', 'patients'] },
  { name: 'reading', features: ['reports'] },
];
const importOf = (from, to, isTest = false) => ({ from, to, isTest });

test('each folder of features is in exactly one module', () => {
  expect(faultsOfTable(modules, featureFolders(source, modules))).toEqual([]);
});

test('no module of the server imports a later one, and core imports no feature', () => {
  expect(imports.length).toBeGreaterThan(1000);
  expect(faultsOfImports(modules, imports)).toEqual([]);
});

test('no module of the contract imports a later one, and its shared files import no module', () => {
  const folder = resolve(root, 'contract/src');
  const missing = modules.flatMap(({ contract }) => contract.filter((name) => !existsSync(join(folder, `${name}.ts`))));

  expect(faultsOfContract(modules, readImports(folder))).toEqual([]);
  expect(missing).toEqual([]);
});

test('no features of the server import each other in a circle', () => {
  expect(faultsOfCircles(arrowsOf(imports))).toEqual([]);
});

test('no files of server, contract and DICOM package import each other in a circle, not even types', () => {
  const circles = ['server/src', 'contract/src', 'dicom/src'].flatMap((folder) =>
    circlesOf(readImports(resolve(root, folder)).filter(({ isTest }) => !isTest)),
  );

  expect(circles).toEqual([]);
});

test('the drawing of the modules is current', () => {
  expect(readFileSync(resolve(root, 'docs/architecture/modules.md'), 'utf8')).toBe(drawing(modules, imports));
});

test('an import that runs back is named with both files and the way to mend it', () => {
  const back = importOf('imaging/patients/move-study.ts', 'features/reports/refiled-reports.ts');

  expect(faultsOfImports(layers, [back, importOf('features/reports/list.ts', 'imaging/archive/store/store-instances.ts')])).toEqual([
    'imaging/patients/move-study.ts imports features/reports/refiled-reports.ts: imaging does not know reading; ' +
      'emit an event instead (core/events/extensions.ts)',
  ]);
});

test('core may not import a feature, and a feature may not import the assembly', () => {
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

test('an import of the contract that runs back is named', () => {
  const table = [
    { name: 'imaging', contract: ['studies'] },
    { name: 'reading', contract: ['reports'] },
  ];

  expect(
    faultsOfContract(table, [
      importOf('studies.ts', 'reports.ts'),
      importOf('paging.ts', 'studies.ts'),
      importOf('reports.ts', 'studies.ts'),
      importOf('studies.ts', 'paging.ts'),
      importOf('all.ts', 'reports.ts'),
    ]),
  ).toEqual([
    'contract: studies.ts imports reports.ts: imaging does not know reading; move what both need into a lower file',
    'contract: paging.ts imports studies.ts: the shared part does not know imaging; move what both need into a lower file',
  ]);
});

test('imports of tests count neither as back nor as a circle', () => {
  const ofTest = importOf('imaging/patients/moves.test.ts', 'reading/reports/service.ts', true);

  expect(faultsOfImports(layers, [ofTest])).toEqual([]);
  expect(arrowsOf([ofTest])).toEqual([]);
});

test('a circle of features inside a module is named with its imports', () => {
  const arrows = arrowsOf([
    importOf('features/studies/a.ts', 'features/patients/b.ts'),
    importOf('features/patients/c.ts', 'archive/d.ts'),
    importOf('archive/e.ts', 'features/studies/f.ts'),
    importOf('features/reports/g.ts', 'features/studies/f.ts'),
  ]);

  expect(circlesOf(arrows)).toEqual([['archive', 'patients', 'studies']]);
  expect(faultsOfCircles(arrows)).toEqual([
    [
      'archive, patients, studies import each other in a circle; move what they share into a lower feature, or emit an event:',
      '  features/studies/a.ts imports features/patients/b.ts (1)',
      '  features/patients/c.ts imports archive/d.ts (1)',
      '  archive/e.ts imports features/studies/f.ts (1)',
    ].join('\n'),
  ]);
});

test('a folder without a module, a name without a folder and a name in two modules are refused', () => {
  const table = [...layers, { name: 'insight', features: ['users', 'search'] }];

  expect(faultsOfTable(table, ['users', 'roles', 'archive', 'studies', 'patients', 'reports', 'rooms'])).toEqual([
    'rooms is in no module (modules.ts)',
    'modules.ts names search, which has no folder',
    'users is in two modules (modules.ts)',
  ]);
});

test('reads static, dynamic and type imports, re-exports and files of workers', () => {
  expect(
    importsIn(`
      import { a } from './a.ts';
      import type { B } from '#features/b/b.ts';
      import {
        c,
        d,
      } from './c.ts';
      export * from './e.ts';
      import './f.ts';
      const g = await import('./g.ts');
      new Worker(new URL('./h.ts', import.meta.url));
    `),
  ).toEqual(['./a.ts', '#features/b/b.ts', './c.ts', './e.ts', './f.ts', './g.ts', './h.ts']);
});
