import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKey } from './secret-key.ts';

/**
 * The place of a sealed text, such as a row. The text opens only in this place, so a copy in another row is useless.
 */
export type SealedColumn = { tenantId: number; table: string; row: string; column: string };

/**
 * Seals passwords and keys of other systems. AES-256-GCM encrypts each text with its own key. That key is sealed with a
 * key derived from the secret of the installation, which is never in the database. Format:
 * "v1.KEY_ID.SEALED_KEY.SEALED_TEXT".
 */
export type Vault = {
  seal: (text: string, place: SealedColumn) => string;
  /** Opens a sealed text. Throws VaultError when it was sealed for another place or with an unknown key. */
  open: (sealed: string, place: SealedColumn) => string;
  isCurrent: (sealed: string) => boolean;
  /** Seals a text with the current key. Undefined when it is already sealed with that key, or does not open. */
  reseal: (sealed: string, place: SealedColumn) => string | undefined;
};

/** The message reveals neither the secret nor the reason. */
export class VaultError extends Error {
  override readonly name = 'VaultError';

  constructor() {
    super('A stored secret cannot be opened: it was changed, moved, or sealed with another SECRET_KEY');
  }
}

type ResealingSteps<Row> = {
  sealedIn: (row: Row) => { sealed: string | null; place: SealedColumn };
  /** Replaces a sealed text, unless another process has changed it. */
  keep: (row: Row, resealed: string) => Promise<{ numUpdatedRows: bigint }>;
};

/** Seals the texts of rows with the current key. Returns how many. A text that does not open stays unchanged. */
export const resealEach = async <Row>(
  vault: Vault,
  rows: readonly Row[],
  { sealedIn, keep }: ResealingSteps<Row>,
): Promise<number> => {
  let count = 0;
  for (const row of rows) {
    const { sealed, place } = sealedIn(row);
    const resealed = sealed === null ? undefined : vault.reseal(sealed, place);
    if (resealed !== undefined) count += Number((await keep(row, resealed)).numUpdatedRows);
  }
  return count;
};

/** Returns the opened text; undefined when it does not open. */
export const openOrUndefined = <T>(open: () => T): T | undefined => {
  try {
    return open();
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
};

type WrappingKey = { id: string; key: Buffer };

/** Creates a vault that seals with the first secret and opens with any of the secrets. */
export const createVault = (current: SecretKey, previous: readonly SecretKey[] = []): Vault => {
  const wrapping = wrappingKeyOf(current);
  const known = new Map([wrapping, ...previous.map(wrappingKeyOf)].map(({ id, key }) => [id, key]));

  const take = (sealed: string) => {
    const [version, id = '', sealedKey = '', sealedText = '', ...rest] = sealed.split('.');
    const key = known.get(id);
    if (version !== 'v1' || !key || rest.length > 0) throw new VaultError();
    return { key, sealedKey, sealedText };
  };

  const isCurrent = (sealed: string) => sealed.split('.')[1] === wrapping.id;

  return {
    seal: (text, place) => {
      const about = aboutOf(place);
      const key = randomBytes(32);
      return write(wrapping.id, encrypt(wrapping.key, key, about), encrypt(key, Buffer.from(text), about));
    },
    open: (sealed, place) => {
      const about = aboutOf(place);
      const { key, sealedKey, sealedText } = take(sealed);
      return decrypt(decrypt(key, sealedKey, about), sealedText, about).toString();
    },
    isCurrent,
    reseal: (sealed, place) => {
      if (isCurrent(sealed)) return undefined;
      const about = aboutOf(place);
      return openOrUndefined(() => {
        const { key, sealedKey, sealedText } = take(sealed);
        return write(wrapping.id, encrypt(wrapping.key, decrypt(key, sealedKey, about), about), sealedText);
      });
    },
  };
};

const wrappingKeyOf = (secret: SecretKey): WrappingKey => ({
  id: secret.hmac('vault key id').toString('hex').slice(0, 8),
  key: secret.hmac('vault'),
});

const write = (id: string, sealedKey: string, sealedText: string): string =>
  ['v1', id, sealedKey, sealedText].join('.');

/** Returns the place as bytes. JSON is unambiguous, so two places never give the same bytes. */
const aboutOf = ({ tenantId, table, row, column }: SealedColumn): Buffer =>
  Buffer.from(JSON.stringify(['v1', tenantId, table, row, column]));

const nonceBytes = 12;
const tagBytes = 16;

const encrypt = (key: Buffer, bytes: Buffer, about: Buffer): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(about);
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
};

const decrypt = (key: Buffer, sealed: string, about: Buffer): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  // Accepts only our form of base64, because another form of the same bytes would hide a change.
  if (bytes.toString('base64url') !== sealed || bytes.length < nonceBytes + tagBytes) throw new VaultError();
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(about);
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch {
    throw new VaultError();
  }
};
