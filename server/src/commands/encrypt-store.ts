import { parseArgs } from 'node:util';
import { convertStore } from '#archive/upkeep/convert-store.ts';
import { copiedDatabase, isCopied } from '#core/copied-database.ts';
import { ConfigError } from '#core/config-error.ts';
import { readConfig } from '#core/config.ts';
import { tellingEverySecond } from './every-second.ts';
import { say, withArchive } from './with-archive.ts';

const usage = `Encrypts with STORAGE_KEY what was stored before it was set, or with one of STORAGE_KEY_PREVIOUS.

  npm run encrypt-store [-- --decrypt]

  --decrypt   the other way: without STORAGE_KEY, what is encrypted with one of STORAGE_KEY_PREVIOUS is stored as it came in

Servers go on meanwhile, all of them with the same keys as this command. Should it break off, run it again. Ends with 0
when all is as it should be, from when on former keys are not needed; with 1 when files were left as they are, which it
names; and with 2 when it could not be done.`;

const assertMeant = (isDecrypting: boolean) => {
  const { storageKeys } = readConfig();
  if (isDecrypting && storageKeys.current !== undefined) {
    throw new ConfigError(
      'With STORAGE_KEY set nothing is decrypted. Move it to STORAGE_KEY_PREVIOUS, on all servers.',
    );
  }
  if (!isDecrypting && storageKeys.current === undefined) {
    throw new ConfigError('There is no STORAGE_KEY to encrypt with. Set it as the servers have it.');
  }
};

const { values } = parseArgs({ options: { decrypt: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) say(usage);
else
  await withArchive(async ({ scopes, storage }) => {
    assertMeant(values.decrypt ?? false);
    if (await scopes.withoutTenant(isCopied)) throw new ConfigError(copiedDatabase);
    const done = await convertStore({ scopes, storage }, { tell: tellingEverySecond(), report: say });
    const { files, bytes, left } = done;
    say(
      `${values.decrypt ? 'Decrypted' : 'Encrypted'}: ${files} files, MB: ${(bytes / 1e6).toFixed(0)}, left: ${left}`,
    );
    if (left === 0) say('Former keys are not needed any more.');
    return left === 0 ? 0 : 1;
  });
