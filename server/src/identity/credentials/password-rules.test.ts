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
])('accepts a password of any characters: %s', async (password) => {
  expect(await judge(password)).toBe('allowed');
});

test.each([
  ['eleven char', 'Use at least 12 characters'],
  ['x'.repeat(129), 'Use at most 128 characters'],
  ['password1234', 'This password is too common'],
  ['QWERTY123456', 'This password is too common'],
  ['administrator', 'This password is too common'],
  ['Administrator2026', 'This password is too common'],
  ['!!basketball!!', 'This password is too common'],
  ['aaaaaaaaaaaaaaa', 'This password only repeats “a”'],
  ['abcabcabcabcab', 'This password only repeats “abc”'],
  ['rosa.lindqvist', 'This password is mostly your username'],
  ['Rosa-Lindqvist-26', 'This password is mostly your username'],
  ['lindqvist1974', 'This password is mostly your username'],
  ['rosa.lindqvist@northclinic.example', 'This password is mostly your e-mail address'],
  ['North Clinic 12', 'This password is mostly the name of your organization'],
  ['Radwork radwork', 'This password is mostly the product name'],
  ['radworkradwork1', 'This password is mostly the product name'],
])('refuses the password %s with the reason', async (password, reason) => {
  expect(await judge(password)).toContain(reason);
});

const folder = await mkdtemp(join(tmpdir(), 'radwork-breached-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

const words = ['ledger', 'harbour', 'purple', 'cellar', 'garden', 'lantern', 'meadow', 'copper'];
const stolen = words.flatMap((word) => words.map((other) => `${word} ${other} stolen`));

test.each([
  ['with counts', (hash: string, at: number) => `${hash}:${at + 1}`, '\r\n'],
  ['without counts', (hash: string) => hash, '\n'],
  ['in small letters', (hash: string) => hash.toLowerCase(), '\n'],
])("refuses every password in the operator's file, %s, and no other", async (name, lineOf, end) => {
  const path = join(folder, `${name}.txt`);
  const lines = stolen.map(sha1).toSorted().map(lineOf);
  await writeFile(path, lines.join(end));

  const judged = await Promise.all(stolen.map((password) => judge(password, path)));
  const others = await Promise.all(stolen.map((password) => judge(`${password}!`, path)));

  expect(new Set(judged)).toEqual(new Set(['This password appeared in a data breach. Choose another.']));
  expect(new Set(others)).toEqual(new Set(['allowed']));
});

test('an empty password file of the operator refuses no password', async () => {
  const path = join(folder, 'empty.txt');
  await writeFile(path, '');

  expect(await judge('purple harbour ledger', path)).toBe('allowed');
});
