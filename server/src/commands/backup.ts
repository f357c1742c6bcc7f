import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp } from '#backup/back-up.ts';
import { storageKeysOf } from '#core/blobs/storage-keys.ts';
import { readConfig } from '#core/config.ts';
import { tellingEverySecond } from './every-second.ts';
import { say, withArchive } from './with-archive.ts';

const usage = `Copies database and store into a folder, as they are at one moment, while the server goes on.

  npm run backup -- <folder> [--fast]

  <folder>   an empty one, or one with an earlier backup of the same installation: what that has is not copied again, and
             it stays the backup until the new one is complete
  --fast     take files of an earlier backup by their size instead of reading them again

SECRET_KEY is not in it: keep it somewhere else. With BACKUP_KEY set the folder is encrypted, and nobody restores it without
that key; otherwise it holds patient data that is not encrypted.
Ends with 0 when all is there, with 1 when files are missing that the store has lost, and with 2 when there is no backup.`;

const { values, positionals } = parseArgs({
  options: { fast: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (values.help || folder === undefined || positionals.length > 1) {
  say(usage);
  process.exitCode = values.help ? 0 : 2;
} else
  await withArchive(async (archive) => {
    const options = { isFast: values.fast ?? false, tell: tellingEverySecond(), report: say };
    const { secretKey, dataDir, backupKeys } = readConfig();
    const keys = storageKeysOf(backupKeys);
    const { manifest, kept } = await backUp({ ...archive, keys }, folder, options);
    const { files, tables } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Backup of ${manifest.createdAt} in ${folder}`);
    say(`Tables: ${tables.length}, rows: ${rows}, files: ${files.count}, MB: ${(files.bytes / 1e6).toFixed(0)}`);
    say(`Files that were there already: ${kept}, files that the store has lost: ${files.missing.length}`);
    say(
      `Keep ${secretKey === undefined ? join(dataDir, 'secret-key') : 'SECRET_KEY'} somewhere else: it is not in the backup.`,
    );
    if (keys?.current) say('It is encrypted: keep BACKUP_KEY somewhere else, too. Nobody can restore it without.');
    else if (archive.storage.parts) {
      say('The images are encrypted in the store and not in the backup: set BACKUP_KEY, or use an encrypted disk.');
    }
    if (files.missing.length === 0) return 0;
    say('npm run verify says of which studies the lost files are.');
    return 1;
  });
