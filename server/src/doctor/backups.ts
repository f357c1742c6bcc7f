import type { Config } from '#core/config.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'BACKUP_KEY';

/** Checks whether backups are encrypted when the store is. */
export const examineBackups = ({ backupKeys, storageKeys }: Pick<Config, 'backupKeys' | 'storageKeys'>): Finding[] => {
  if (backupKeys.current) {
    return [ok(check, 'Backups are encrypted. Keep it somewhere else, too: without it nobody can restore them.')];
  }
  if (!storageKeys.current) return [];
  return [
    warning(
      check,
      'Images are encrypted in the store, but not in a backup. Set BACKUP_KEY, or back up to a disk that is encrypted.',
    ),
  ];
};
