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

const { made, changed } = writeFeature(folder, 'imaging', 'reading-rooms');
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
      .replaceAll(/\d{4}_reading_rooms/g, 'NNNN_x')
      .replaceAll('reading-rooms', 'x')
      .replaceAll('/imaging/', '/MODULE/'),
  );

  expect(named.filter((path) => !recipe.includes(path))).toEqual([]);
});

test('each list gets one import and one entry for a new feature', () => {
  expect(added('contract/src/all.ts')).toEqual([
    "import { noun as readingRooms } from './imaging/reading-rooms.ts';",
    '  readingRooms,',
  ]);
  expect(added('server/src/features.ts')).toEqual([
    "import { feature as readingRooms } from './imaging/reading-rooms/feature.ts';",
    '  readingRooms,',
  ]);
  const route = added('web/src/app/routing/screen-routes.tsx').join('\n');
  expect(route).toContain("path: '/reading-rooms'");
  expect(route).toContain("import('#imaging/reading-rooms/reading-rooms-screen.tsx')");
});

test('names of a new feature follow the conventions of server, contract and web', () => {
  const contract = textOf('contract/src/imaging/reading-rooms.ts');

  expect(contract).toContain("post('/reading-rooms', { can: 'config.manage', audited: 'reading_room.create'");
  expect(contract).toContain("entities: ['reading_room']");
  expect(textOf(made.find((path) => dirname(path) === 'server/migrations'))).toContain(
    "select confine('reading_rooms');",
  );
  expect(textOf('server/src/imaging/reading-rooms/feature.samples.ts')).toContain("'/reading-rooms/': 'readingRoomId'");
});

test('each import of another file in a new feature names a file that exists', () => {
  const specifiers = made
    .filter((path) => !path.endsWith('.sql'))
    .flatMap((path) =>
      [...textOf(path).matchAll(/ from '(#|@radwork\/contract\/|\.\.?\/)([^']+)'/g)].map(([, begin, rest]) => {
        if (begin === '@radwork/contract/') return `contract/src/${rest}.ts`;
        if (begin !== '#') return join(dirname(path), begin, rest);
        const [workspace] = path.split('/');
        return rest.startsWith('test/') ? `${workspace}/${rest}` : `${workspace}/src/${rest}`;
      }),
    );

  expect(specifiers.length).toBeGreaterThan(20);
  expect(specifiers.filter((path) => !existsSync(join(root, path)) && !made.includes(path))).toEqual([]);
});

test('the script refuses an unknown module, a name in another form, and a feature that exists', () => {
  expect(() => writeFeature(folder, 'rooms', '')).toThrow('Give a module first: identity, imaging');
  expect(() => writeFeature(folder, 'imaging', 'Room')).toThrow('plural name in kebab-case');
  expect(() => writeFeature(folder, 'imaging', 'reading-rooms')).toThrow(
    'There is already contract/src/imaging/reading-rooms.ts',
  );
});
