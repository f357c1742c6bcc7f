import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder } from '#core/blobs/disk/file-system.ts';

/** Derives keys for separate purposes from the secret of the installation. */
export type SecretKey = { hmac: (purpose: string, ...parts: (string | Buffer)[]) => Buffer };

/**
 * Returns the configured secret, or the generated one in the data folder. Outside production, the first start generates
 * it.
 */
export const openSecretKey = async (configured: string | undefined, dataDir: string): Promise<SecretKey> =>
  secretKeyOf(configured ?? (await generatedSecret(dataDir)));

/** Returns the existing secret like `openSecretKey`, but does not generate one. */
export const findSecretKey = async (configured: string | undefined, dataDir: string): Promise<SecretKey | undefined> =>
  configured === undefined && !existsSync(pathOf(dataDir)) ? undefined : openSecretKey(configured, dataDir);

const pathOf = (dataDir: string): string => join(dataDir, 'secret-key');

export const secretKeyOf = (secret: string): SecretKey => ({
  hmac: (purpose, ...parts) => {
    const key = createHmac('sha256', secret).update(purpose).digest();
    const hmac = createHmac('sha256', key);
    // Writes the length before each part, so that ("ab", "c") and ("a", "bc") differ.
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  },
});

/**
 * Returns the generated secret. The secret is written to a temporary file, which is then linked to the final name.
 * Other processes see the whole secret or none.
 */
const generatedSecret = async (dataDir: string): Promise<string> => {
  const path = pathOf(dataDir);
  await makeFolder(dataDir);
  if (!existsSync(path)) {
    const fresh = `${path}.${randomUUID()}`;
    await writeFile(fresh, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    await link(fresh, path).catch(ignoreExisting);
    await rm(fresh);
  }
  // Syncs the file before the secret is used. The process that created the file may have been killed before the sync.
  await syncFolder(dataDir);
  const secret = await readFile(path, 'utf8');
  if (secret.length < 32)
    throw new Error(`${path} is damaged. Restore it from a copy: sent links and stored passwords depend on it.`);
  return secret;
};

const ignoreExisting = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EEXIST') throw error;
};
