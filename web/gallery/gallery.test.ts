import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const kit = resolve(import.meta.dirname, '../src/ui');
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => readFileSync(resolve(folder, name), 'utf8'));

const exported = /^export (?:async )?(?:function|const) ([A-Z]\w*)/gm;
const components = filesOf(kit).flatMap((source) => [...source.matchAll(exported)].map(([, name = '']) => name));
const rooms = filesOf(import.meta.dirname).filter((source) => source.includes('export const specimens'));
const shownNames = new Set(
  rooms.flatMap((source) => [...source.matchAll(/^ {2}([A-Z]\w*): /gm)].map(([, name = '']) => name)),
);

test('the gallery finds the components of the kit', () => {
  expect(components).toEqual(expect.arrayContaining(['DataTable', 'TableRow', 'Dialog', 'StatusPill', 'Trans']));
});

test('the gallery shows each exported component of the kit', () => {
  expect(components.filter((name) => !shownNames.has(name))).toEqual([]);
});
