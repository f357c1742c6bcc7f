import { ConfigError } from '#core/config/config-error.ts';
import { secretKeyOf } from '#core/installation/secret-key.ts';

/** A key that encrypts stored bytes. Each file or purpose uses its own key, which is derived from this key. */
export type StorageKey = {
  /** Identifies the key without revealing it. 16 hexadecimal digits. */
  id: string;
  /** Returns the key: 32 bytes. */
  derive: (purpose: string, ...parts: (string | Buffer)[]) => Buffer;
};

/** The keys in the settings. Without a current key, new files are stored unencrypted. */
export type StorageKeys = { current: StorageKey | undefined; find: (id: string) => StorageKey | undefined };

/** Key texts in the settings. `current` encrypts new files; older files may need any of the keys. */
export type KeyTexts = { current: string | undefined; previous: readonly string[] };

export const storageKeysOf = ({ current, previous }: KeyTexts): StorageKeys | undefined => {
  const now = current === undefined ? undefined : storageKeyOf(current);
  const all = [...(now ? [now] : []), ...previous.map(storageKeyOf)];
  if (all.length === 0) return undefined;
  const known = new Map(all.map((key) => [key.id, key]));
  return { current: now, find: (id) => known.get(id) };
};

const storageKeyOf = (text: string): StorageKey => {
  const secret = secretKeyOf(text);
  return { id: secret.hmac('storage key id').toString('hex').slice(0, 16), derive: secret.hmac };
};

/** Name of the note in the store that lists the ids of the keys in use. */
export const keyIdsNote = 'encryption-keys';

export const recordedKeyIds = (note: string | undefined): string[] => note?.split(/\s+/).filter(Boolean) ?? [];

/** The store contains files that were encrypted with keys missing in the settings. The message is for the operator. */
export class StorageKeyMissing extends ConfigError {
  constructor(ids: readonly string[]) {
    super(
      `Radwork cannot start: the storage contains images encrypted with another STORAGE_KEY (id ${ids.join(', ')}). Set
that key in STORAGE_KEY or STORAGE_KEY_PREVIOUS. The images cannot be read without it: if it is lost, restore a backup
into an empty database and storage.`,
    );
  }
}

/** Throws StorageKeyMissing when the store needs a key that the settings lack. */
export const assertKeys = (note: string | undefined, keys: StorageKeys | undefined): void => {
  const missing = recordedKeyIds(note).filter((id) => !keys?.find(id));
  if (missing.length > 0) throw new StorageKeyMissing(missing);
};
