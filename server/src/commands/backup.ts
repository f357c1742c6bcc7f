import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp } from '#backup/back-up.ts';
import { storageKeysOf } from '#core/blobs/storage-keys.ts';
import { readConfig } from '#core/config/config.ts';
import { createProgressPrinter } from './print-progress.ts';
import { print, withArchive } from './run-command.ts';

const usage = `Copies the database and the stored files of one moment into a folder, while the server keeps running.

  npm run backup -- <folder> [--fast]

  <folder>   empty, or with an earlier backup of the same installation: only new files are copied, and the earlier
             backup stays valid until the new one is complete
  --fast     compare files of an earlier backup by size only, without reading them

The backup does not contain SECRET_KEY: store it elsewhere. With BACKUP_KEY set, the folder is encrypted and cannot be
restored without that key. Otherwise it contains unencrypted patient data.
Exits with 0 when the backup is complete, 1 when it lacks files that the store has lost, and 2 when there is no backup.`;

const { values, positionals } = parseArgs({
  options: { fast: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (values.help || folder === undefined || positionals.length > 1) {
  print(usage);
  process.exitCode = values.help ? 0 : 2;
} else
  await withArchive(async (archive) => {
    const options = { isFast: values.fast ?? false, onProgress: createProgressPrinter(), report: print };
    const { secretKey, dataDir, backupKeys } = readConfig();
    const keys = storageKeysOf(backupKeys);
    const { manifest, alreadyCopied } = await backUp({ ...archive, keys }, folder, options);
    const { files, tables } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    print(`Backup of ${manifest.createdAt} in ${folder}`);
    print(`Tables: ${tables.length}, rows: ${rows}, files: ${files.count}, MB: ${(files.bytes / 1e6).toFixed(0)}`);
    print(`Files already in the folder: ${alreadyCopied}, files lost by the store: ${files.missing.length}`);
    const secret = secretKey === undefined ? join(dataDir, 'secret-key') : 'SECRET_KEY';
    print(`The backup does not contain ${secret}: store it elsewhere.`);
    if (keys?.current)
      print('The backup is encrypted and cannot be restored without BACKUP_KEY: store it elsewhere, too.');
    else if (archive.storage.parts) {
      print('The images are encrypted in the store but not in the backup: set BACKUP_KEY, or use an encrypted disk.');
    }
    if (files.missing.length === 0) return 0;
    print('npm run verify names the studies of the lost files.');
    return 1;
  });
