import { expect, test } from 'vitest';
import { readConfig } from '#core/config.ts';
import { examineBackups } from './backups.ts';

const [one, another] = ['0', '1'].map((digit) => digit.repeat(64));
const examine = (settings: Record<string, string | undefined>) => examineBackups(readConfig(settings));

test('whoever encrypts images and not backups is told that a backup holds them in the clear', () => {
  expect(examine({})).toEqual([]);
  expect(examine({ STORAGE_KEY: one })).toEqual([
    { check: 'BACKUP_KEY', state: 'warning', message: expect.stringContaining('not in a backup') },
  ]);
});

test('whoever encrypts backups is told that the key has to be somewhere else, too', () => {
  expect(examine({ STORAGE_KEY: one, BACKUP_KEY: another })).toEqual([
    { check: 'BACKUP_KEY', state: 'ok', message: expect.stringContaining('Keep it somewhere else') },
  ]);
});
