import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'docs/acceptance');
const security = join(root, 'docs/security.md');
const tables = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => join(folder, name));

const rowsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));

/** Tests named in the tables, each as `file` › sentence. */
const named = [...tables, security]
  .flatMap(rowsOf)
  .flatMap((line) => [...line.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)` › (.+?) *(?=<br>|\||$)/g)])
  .map(([, file = '', sentence = '']) => ({ file, sentence }));

const isThere = ({ file, sentence }: { file: string; sentence: string }): boolean => {
  const path = join(root, file);
  return existsSync(path) && readFileSync(path, 'utf8').replaceAll("\\'", "'").includes(sentence);
};

test('each test that a requirement is said to be held by exists', () => {
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

test('each place in the code that is said to meet a requirement of security is there', () => {
  const places = rowsOf(security).flatMap((line) =>
    [...line.matchAll(/`((?:server|web|contract|dicom)\/[\w./-]+)`/g)].map(([, path = '']) => path),
  );
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
