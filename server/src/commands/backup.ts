import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp } from '#backup/back-up.ts';
import { readConfig } from '#core/config.ts';
import { tellingEverySecond } from './every-second.ts';
import { say, withArchive } from './with-archive.ts';

const usage = `Copies database and store into a folder, as they are at one moment, while the server goes on.

  npm run backup -- <folder> [--fast]

  <folder>   an empty one, or one with an earlier backup of the same installation: what that has is not copied again, and
             it stays the backup until the new one is complete
  --fast     take files of an earlier backup by their size instead of reading them again

SECRET_KEY is not in it: keep it somewhere else. The folder holds patient data that is not encrypted.
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
    const { manifest, kept } = await backUp(archive, folder, options);
    const { files, tables } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Backup of ${manifest.createdAt} in ${folder}`);
    say(`Tables: ${tables.length}, rows: ${rows}, files: ${files.count}, MB: ${(files.bytes / 1e6).toFixed(0)}`);
    say(`Files that were there already: ${kept}, files that the store has lost: ${files.missing.length}`);
    const { secretKey, dataDir } = readConfig();
    say(
      `Keep ${secretKey === undefined ? join(dataDir, 'secret-key') : 'SECRET_KEY'} somewhere else: it is not in the backup.`,
    );
    if (archive.storage.parts) {
      say('The images are encrypted in the store and not in the backup: put it on an encrypted disk.');
    }
    if (files.missing.length === 0) return 0;
    say('npm run verify says of which studies the lost files are.');
    return 1;
  });
