import { parseArgs } from 'node:util';
import { type Manifest, readManifest } from '#backup/manifest.ts';
import { restore, type RestoreResult } from '#backup/restore.ts';
import { openBlobStore } from '#core/blobs/open-blob-store.ts';
import { storageKeysOf } from '#core/blobs/storage-keys.ts';
import type { Config } from '#core/config/config.ts';
import { fingerprintOf } from '#core/installation/installation.ts';
import { findSecretKey } from '#core/installation/secret-key.ts';
import { createProgressPrinter } from './print-progress.ts';
import { openDatabase, runCommand, print } from './run-command.ts';

const usage = `Restores a backup into the empty database and the empty store that the settings name.

  npm run restore -- <folder> [--without-damaged]

  --without-damaged   leave out files that are damaged in the backup and mark them as missing: readers see a notice, and a
                      new upload of the files repairs them. Without this option, a damaged backup is refused

An encrypted backup needs its key in BACKUP_KEY or BACKUP_KEY_PREVIOUS.
Checks the hashes of the whole backup before it changes anything. Stop the server first. Run it again after an
interruption. Exits with 0 when everything is restored, 1 when damaged files were left out, and 2 when the restore
failed.`;

/**
 * Warns before the restore if the secret differs from that of the backup. With a different secret, no server would
 * start on the restored database.
 */
const wordsOnSecret = async ({ secretKey, dataDir }: Config, { secretFingerprint }: Manifest): Promise<string[]> => {
  const key = await findSecretKey(secretKey, dataDir);
  if (secretFingerprint === null || (key && fingerprintOf(key) === secretFingerprint)) return [];
  return [
    key
      ? 'SECRET_KEY differs from that of the backup. No server starts on this database until it is the same.'
      : 'SECRET_KEY of the backup is not set. No server starts on this database without it.',
    'Set it, or copy the file secret-key from the DATA_DIR of the backed-up server into this DATA_DIR.',
  ];
};

const printRestored = async (config: Config, folder: string, { manifest, damaged, anchors }: RestoreResult) => {
  const { tables, files, createdAt } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  print(`Restored the backup of ${createdAt} from ${folder}`);
  print(`Tables: ${tables.length}, rows: ${rows}, files: ${files.count - files.missing.length - damaged}`);
  if (files.missing.length > 0) print(`Files already lost at the time of the backup: ${files.missing.length}`);
  if (damaged > 0) print(`Damaged files, left out and marked as missing: ${damaged}`);
  print('All sessions have ended. Changes after the backup are undone: share links that were revoked open again, and');
  print('mail and reports that were waiting at the time of the backup are sent when the server starts.');
  print(`This is a new installation. Name a new folder for its backups: ${folder} accepts none of them.`);
  if (anchors)
    print(`The earlier audit heads of this DATA_DIR do not match the restored audit. They are now in ${anchors}`);
  for (const words of await wordsOnSecret(config, manifest)) print(words);
  print('Start the server, then check everything with npm run verify and npm run verify-audit.');
};

const { values, positionals } = parseArgs({
  options: { 'without-damaged': { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (values.help || folder === undefined || positionals.length > 1) {
  print(usage);
  process.exitCode = values.help ? 0 : 2;
} else
  await runCommand(async (config, closing) => {
    // The backup is checked before the database is opened, so that no database is created for a folder without a
    // backup.
    const keys = storageKeysOf(config.backupKeys);
    await readManifest(folder, keys);
    const url = await openDatabase(config, closing);
    const blobs = await openBlobStore(config);
    closing(blobs.close);
    const restored = await restore({ url, blobs, dataDir: config.dataDir, keys }, folder, {
      onProgress: createProgressPrinter(),
      report: print,
      isWithoutDamaged: values['without-damaged'] ?? false,
    });
    await printRestored(config, folder, restored);
    return restored.damaged === 0 ? 0 : 1;
  });
