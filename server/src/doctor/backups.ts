import type { Config } from '#core/config/config.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'BACKUP_KEY';

/** Checks whether backups are encrypted if the store is. */
export const examineBackups = ({ backupKeys, storageKeys }: Pick<Config, 'backupKeys' | 'storageKeys'>): Finding[] => {
  if (backupKeys.current) {
    return [
      ok(check, 'Backups are encrypted. Store a copy of the key elsewhere: backups cannot be restored without it.'),
    ];
  }
  if (!storageKeys.current) return [];
  return [
    warning(
      check,
      'Images are encrypted in the store, but not in backups. Set BACKUP_KEY, or back up to an encrypted disk.',
    ),
  ];
};
