import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'docs/acceptance');

/** Tests named in the tables of docs/acceptance, each as `file` › sentence. */
const named = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  .filter((line) => line.startsWith('|'))
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
