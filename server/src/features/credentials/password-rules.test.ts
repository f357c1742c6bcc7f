import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { assertPasswordAllowed } from './password-rules.ts';

const owner = {
  username: 'rosa.lindqvist',
  name: 'Rosa Lindqvist',
  email: 'rosa.lindqvist@northclinic.example',
  tenantName: 'North Clinic',
};

const judge = (password: string, breachedPasswordsFile?: string) =>
  assertPasswordAllowed(password, owner, { breachedPasswordsFile }, 'newPassword').then(
    () => 'allowed',
    (problem: { fields?: Record<string, string> }) => problem.fields?.newPassword,
  );

test.each([
  'purple harbour ledger',
  'zwölf Äpfel im Keller',
  '            x marks it',
  '9471 0385 2260',
  'Q7#v!m2@Lr9$',
  'x'.repeat(40) + 'y'.repeat(88),
  'rosa likes long walks',
  'a clinic with a garden gate',
])('accepts any composition: %s', async (password) => {
  expect(await judge(password)).toBe('allowed');
});

test.each([
  ['eleven char', 'Use at least 12 characters'],
  ['x'.repeat(129), 'Use at most 128 characters'],
  ['password1234', 'Many people use this'],
  ['QWERTY123456', 'Many people use this'],
  ['administrator', 'Many people use this'],
  ['Administrator2026', 'Many people use this'],
  ['!!basketball!!', 'Many people use this'],
  ['aaaaaaaaaaaaaaa', 'This is “a” again and again'],
  ['abcabcabcabcab', 'This is “abc” again and again'],
  ['rosa.lindqvist', 'Most of this is your user name'],
  ['Rosa-Lindqvist-26', 'Most of this is your user name'],
  ['lindqvist1974', 'Most of this is your user name'],
  ['rosa.lindqvist@northclinic.example', 'Most of this is your e-mail address'],
  ['North Clinic 12', 'Most of this is the name of your organisation'],
  ['Radwork radwork', 'Most of this is the name of this product'],
  ['radworkradwork1', 'Most of this is the name of this product'],
])('refuses %s with the reason', async (password, reason) => {
  expect(await judge(password)).toContain(reason);
});

const folder = await mkdtemp(join(tmpdir(), 'radwork-breached-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

const words = ['ledger', 'harbour', 'purple', 'cellar', 'garden', 'lantern', 'meadow', 'copper'];
const stolen = words.flatMap((one) => words.map((other) => `${one} ${other} stolen`));

test.each([
  ['with counts', (hash: string, at: number) => `${hash}:${at + 1}`, '\r\n'],
  ['without counts', (hash: string) => hash, '\n'],
  ['in small letters', (hash: string) => hash.toLowerCase(), '\n'],
])("refuses every password of the operator's file, %s, and no other", async (name, lineOf, end) => {
  const path = join(folder, `${name}.txt`);
  const lines = stolen.map(sha1).toSorted().map(lineOf);
  await writeFile(path, lines.join(end));

  const judged = await Promise.all(stolen.map((password) => judge(password, path)));
  const others = await Promise.all(stolen.map((password) => judge(`${password}!`, path)));

  expect(new Set(judged)).toEqual(
    new Set(['This password was stolen somewhere and is on lists that attackers use. Choose another.']),
  );
  expect(new Set(others)).toEqual(new Set(['allowed']));
});

test('an empty file refuses nothing', async () => {
  const path = join(folder, 'empty.txt');
  await writeFile(path, '');

  expect(await judge('purple harbour ledger', path)).toBe('allowed');
});
