import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Derives keys for single purposes from the one secret of this installation. */
export type SecretKey = { hmac: (purpose: string, ...parts: (string | Buffer)[]) => Buffer };

/** The configured secret, or the one generated into the data folder at the first start outside production. */
export const openSecretKey = async (configured: string | undefined, dataDir: string): Promise<SecretKey> => {
  const secret = configured ?? (await generatedSecret(dataDir));
  return {
    hmac: (purpose, ...parts) => {
      const key = createHmac('sha256', secret).update(purpose).digest();
      const hmac = createHmac('sha256', key);
      // A length before each part: ("ab", "c") and ("a", "bc") are different messages.
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
      return hmac.digest();
    },
  };
};

const generatedSecret = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, 'secret-key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(randomBytes(32).toString('base64url'));
    await file.sync();
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(path, 'utf8');
};
