import { expect, test } from 'vitest';
import { readConfig } from '#core/config/config.ts';
import { examineBackups } from './backups.ts';

const [one, another] = ['0', '1'].map((digit) => digit.repeat(64));
const examine = (settings: Record<string, string | undefined>) => examineBackups(readConfig(settings));

test('warns if images are encrypted but backups contain them in clear text', () => {
  expect(examine({})).toEqual([]);
  expect(examine({ STORAGE_KEY: one })).toEqual([
    { check: 'BACKUP_KEY', state: 'warning', message: expect.stringContaining('not in backups') },
  ]);
});

test('tells the operator to store the backup key in a second place', () => {
  expect(examine({ STORAGE_KEY: one, BACKUP_KEY: another })).toEqual([
    { check: 'BACKUP_KEY', state: 'ok', message: expect.stringContaining('Store a copy of the key elsewhere') },
  ]);
});
