import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { knownMigrations } from '#core/database/migrate.ts';
import { version } from '#core/values/version.ts';
import { assertCurrentBundle } from './assert-current-bundle.ts';

const bundleOf = (madeOf?: object): string => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  if (madeOf) writeFileSync(join(folder, 'made-of.json'), JSON.stringify(madeOf));
  return join(folder, 'main.js');
};

test('a bundle of this version and its migrations may start, and so may the source', async () => {
  const migrations = await knownMigrations();

  await expect(assertCurrentBundle(bundleOf({ version, migrations }))).resolves.toBeUndefined();
  await expect(assertCurrentBundle(bundleOf())).resolves.toBeUndefined();
});

test('a bundle that was built before the last migration or version does not start, and says what to do', async () => {
  const migrations = await knownMigrations();

  for (const madeOf of [
    { version, migrations: migrations.slice(0, -1) },
    { version: '0.0.1', migrations },
  ])
    await expect(assertCurrentBundle(bundleOf(madeOf))).rejects.toThrow('Run: npm run build');
});
