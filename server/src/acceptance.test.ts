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

/** Lists the tests that the acceptance and security tables name, each written there as `file` › title. */
const references = [...tables, security]
  .flatMap(rowsOf)
  .flatMap((line) => [...line.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)` › (.+?) *(?=<br>|\||$)/g)])
  .map(([, file = '', sentence = '']) => ({ file, sentence }));

const isThere = ({ file, sentence }: { file: string; sentence: string }): boolean => {
  const path = join(root, file);
  return existsSync(path) && readFileSync(path, 'utf8').replaceAll("\\'", "'").includes(sentence);
};

test('each test named in the tables exists', () => {
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter((reference) => !isThere(reference))).toEqual([]);
});

test('each code file named in the security document exists', () => {
  const places = rowsOf(security).flatMap((line) =>
    [...line.matchAll(/`((?:server|web|contract|dicom)\/[\w./-]+)`/g)].map(([, path = '']) => path),
  );
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/**
 * All requirements of ASVS 5.0.0, levels 1 and 2. Each entry is a section, followed by the last parts of its
 * requirement numbers.
 */
const requirements = `
  1.1:1,2 1.2:1,2,3,4,5,6,7,8,9 1.3:1,2,3,4,5,6,7,8,9,10,11 1.4:1,2,3 1.5:1,2
  2.1:1,2,3 2.2:1,2,3 2.3:1,2,3,4 2.4:1
  3.2:1,2 3.3:1,2,3,4 3.4:1,2,3,4,5,6 3.5:1,2,3,4,5 3.7:1,2
  4.1:1,2,3 4.2:1 4.3:1,2 4.4:1,2,3,4
  5.1:1 5.2:1,2,3 5.3:1,2 5.4:1,2,3
  6.1:1,2,3 6.2:1,2,3,4,5,6,7,8,9,10,11,12 6.3:1,2,3,4 6.4:1,2,3,4 6.5:1,2,3,4,5 6.6:1,2,3 6.8:1,2,3,4
  7.1:1,2,3 7.2:1,2,3,4 7.3:1,2 7.4:1,2,3,4,5 7.5:1,2 7.6:1,2
  8.1:1,2 8.2:1,2,3 8.3:1 8.4:1
  9.1:1,2,3 9.2:1,2,3,4
  10.1:1,2 10.2:1,2 10.3:1,2,3,4 10.4:1,2,3,4,5,6,7,8,9,10,11 10.5:1,2,3,4,5 10.6:1,2 10.7:1,2,3
  11.1:1,2 11.2:1,2,3 11.3:1,2,3 11.4:1,2,3,4 11.5:1 11.6:1
  12.1:1,2,3 12.2:1,2 12.3:1,2,3,4
  13.1:1 13.2:1,2,3,4,5 13.3:1,2 13.4:1,2,3,4,5
  14.1:1,2 14.2:1,2,3,4 14.3:1,2,3
  15.1:1,2,3 15.2:1,2,3 15.3:1,2,3,4,5,6,7
  16.1:1 16.2:1,2,3,4,5 16.3:1,2,3,4 16.4:1,2,3 16.5:1,2,3
  17.1:1 17.2:1,2,3,4 17.3:1,2`;

/**
 * Whether a text names a requirement: by its number, a range "9.1.1 to 9.1.3", its section "9.1" or its chapter "V9".
 */
const isNamedIn = (text: string, number: string): boolean => {
  const [chapter = '', section = '', last = ''] = number.split('.');
  const ranges = text.matchAll(/(\d+\.\d+)\.(\d+) to \1\.(\d+)/g);
  return (
    new RegExp(`(?<![\\d.])${number.replaceAll('.', '\\.')}(?!\\d)`).test(text) ||
    new RegExp(`(?<![\\d.])${chapter}\\.${section}(?![\\d.]*\\d)`).test(text) ||
    new RegExp(`V${chapter}\\b`).test(text) ||
    [...ranges].some(
      ([, of, from, to]) => of === `${chapter}.${section}` && +last >= Number(from) && +last <= Number(to),
    )
  );
};

test('each requirement of ASVS 5.0 levels 1 and 2 has a row or a reason why it does not apply', () => {
  const [, asvs = ''] = readFileSync(security, 'utf8').split('\n## ASVS 5.0');
  const lines = (asvs.split('\n## ')[0] ?? '').split('\n');
  const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|')[1] ?? '');
  const reasons = lines.filter((line) => line.startsWith('Does not apply'));
  const numbers = requirements
    .trim()
    .split(/\s+/)
    .flatMap((part) => {
      const [section = '', lasts = ''] = part.split(':');
      return lasts.split(',').map((last) => `${section}.${last}`);
    });

  expect(numbers).toHaveLength(253);
  expect(numbers.filter((number) => ![...rows, ...reasons].some((text) => isNamedIn(text, number)))).toEqual([]);
});
