import { parseArgs } from 'node:util';
import { convertStore } from '#imaging/archive/upkeep/convert-store.ts';
import { copiedDatabase, isCopied } from '#core/installation/copied-database.ts';
import { ConfigError } from '#core/config/config-error.ts';
import { readConfig } from '#core/config/config.ts';
import { createProgressPrinter } from './print-progress.ts';
import { print, withArchive } from './run-command.ts';

const usage = `Encrypts with STORAGE_KEY all files that are stored unencrypted or with a key of STORAGE_KEY_PREVIOUS.

  npm run encrypt-store [-- --decrypt]

  --decrypt   without STORAGE_KEY: decrypt all files that are encrypted with a key of STORAGE_KEY_PREVIOUS

Servers keep running, all with the same keys as this command. Run it again after an interruption. Exits with 0 when all
files are converted and earlier keys are no longer needed, 1 when files were left unchanged, which it names, and 2 when
the command failed.`;

const assertMeant = (isDecrypting: boolean) => {
  const { storageKeys } = readConfig();
  if (isDecrypting && storageKeys.current !== undefined) {
    throw new ConfigError(
      'STORAGE_KEY is set, so nothing can be decrypted. Move it to STORAGE_KEY_PREVIOUS on all servers.',
    );
  }
  if (!isDecrypting && storageKeys.current === undefined) {
    throw new ConfigError('STORAGE_KEY is not set. Set it as on the servers.');
  }
};

const { values } = parseArgs({ options: { decrypt: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) print(usage);
else
  await withArchive(async ({ scopes, storage }) => {
    assertMeant(values.decrypt ?? false);
    if (await scopes.withoutTenant(isCopied)) throw new ConfigError(copiedDatabase);
    const done = await convertStore({ scopes, storage }, { onProgress: createProgressPrinter(), report: print });
    const { files, bytes, left } = done;
    print(
      `${values.decrypt ? 'Decrypted' : 'Encrypted'}: ${files} files, MB: ${(bytes / 1e6).toFixed(0)}, left: ${left}`,
    );
    if (left === 0) print('Earlier keys are no longer needed.');
    return left === 0 ? 0 : 1;
  });
