import { parseArgs } from 'node:util';
import { type Manifest, readManifest } from '#backup/manifest.ts';
import { restore, type Restored } from '#backup/restore.ts';
import { openBlobStore } from '#core/blobs/open-blob-store.ts';
import { storageKeysOf } from '#core/blobs/storage-keys.ts';
import type { Config } from '#core/config.ts';
import { fingerprintOf } from '#core/installation.ts';
import { findSecretKey } from '#core/secret-key.ts';
import { tellingEverySecond } from './every-second.ts';
import { openDatabase, runCommand, say } from './with-archive.ts';

const usage = `Fills an empty database and an empty store, those that the settings name, from a backup.

  npm run restore -- <folder> [--without-damaged]

  --without-damaged   leave out images and other files that are damaged in the backup, and mark them as missing: readers
                      are told so, and an upload of the same brings them back. Without it such a backup is refused

One that is encrypted takes the BACKUP_KEY that it was made with, or that among BACKUP_KEY_PREVIOUS.
The whole backup is read and compared with its hashes before anything is touched. The server is not running meanwhile.
Should it break off, run it again. Ends with 0 when it is done, with 1 when damaged files were left out, and with 2 when
it is not done.`;

/** Warns early about a different secret, with which no server would start on the database. */
const wordsOnSecret = async ({ secretKey, dataDir }: Config, { secretFingerprint }: Manifest): Promise<string[]> => {
  const key = await findSecretKey(secretKey, dataDir);
  if (secretFingerprint === null || (key && fingerprintOf(key) === secretFingerprint)) return [];
  const is = key ? 'is another than' : 'is not set to';
  return [
    `SECRET_KEY ${is} the one that the backup was made with: no server starts on this database until it is the same.`,
    'Set it, or copy the file secret-key from the DATA_DIR of the server that was backed up into this one.',
  ];
};

const tell = async (config: Config, folder: string, { manifest, damaged, anchors }: Restored) => {
  const { tables, files, createdAt } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  say(`Restored the backup of ${createdAt} from ${folder}`);
  say(`Tables: ${tables.length}, rows: ${rows}, files: ${files.count - files.missing.length - damaged}`);
  if (files.missing.length > 0) say(`Files that were lost already when the backup was made: ${files.missing.length}`);
  if (damaged > 0) say(`Files that were left out and marked as missing because they are damaged: ${damaged}`);
  say(
    'All sessions have ended. What was changed after the backup is as before: links that were revoked open again, and',
  );
  say('mail and reports that were waiting to be sent are sent again once the server starts.');
  say(
    `It is another installation than the one that was backed up. Its backups go into a new folder: ${folder} takes none of it.`,
  );
  if (anchors) say(`The heads of the audit that was here before do not fit this one. They are kept in ${anchors}`);
  for (const words of await wordsOnSecret(config, manifest)) say(words);
  say('Once the server runs, npm run verify and npm run verify-audit read everything once more.');
};

const { values, positionals } = parseArgs({
  options: { 'without-damaged': { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (values.help || folder === undefined || positionals.length > 1) {
  say(usage);
  process.exitCode = values.help ? 0 : 2;
} else
  await runCommand(async (config, closing) => {
    // Checked first, so that a folder without a backup creates no database.
    const keys = storageKeysOf(config.backupKeys);
    await readManifest(folder, keys);
    const url = await openDatabase(config, closing);
    const blobs = await openBlobStore(config);
    closing(blobs.close);
    const restored = await restore({ url, blobs, dataDir: config.dataDir, keys }, folder, {
      tell: tellingEverySecond(),
      report: say,
      isWithoutDamaged: values['without-damaged'] ?? false,
    });
    await tell(config, folder, restored);
    return restored.damaged === 0 ? 0 : 1;
  });
