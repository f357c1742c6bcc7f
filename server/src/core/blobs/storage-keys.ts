import { ConfigError } from '#core/config.ts';
import { secretKeyOf } from '#core/secret-key.ts';

/** One key that stored bytes are encrypted with. What it does for one file or purpose is done by a key made from it. */
export type StorageKey = {
  /** Tells it from others and tells nothing of it: 16 hexadecimal digits. */
  id: string;
  /** 32 bytes. */
  derive: (purpose: string, ...parts: (string | Buffer)[]) => Buffer;
};

/** The keys that the settings name. Without a current one, what is stored from now on is not encrypted. */
export type StorageKeys = { current: StorageKey | undefined; find: (id: string) => StorageKey | undefined };

/** As the settings have them: what is stored is encrypted with `current`; what was, may have been with any. */
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

/** Where a store keeps, in itself, the ids of the keys that its files are encrypted with. */
export const keysNote = 'encryption-keys';

export const notedIds = (note: string | undefined): string[] => note?.split(/\s+/).filter(Boolean) ?? [];

/** What has to be done where files are encrypted with keys that the settings do not name. */
export class StorageKeyMissing extends ConfigError {
  constructor(ids: readonly string[]) {
    super(
      `Radwork cannot start: the storage has images that are encrypted with another STORAGE_KEY (its id is ${ids.join(', ')}). Bring it
back, as STORAGE_KEY or in STORAGE_KEY_PREVIOUS. Without it nobody can read these images: if it is lost, restore a backup into an
empty database and storage.`,
    );
  }
}

/** Throws StorageKeyMissing where a store says that it has files which none of the keys opens. */
export const assertKeys = (note: string | undefined, keys: StorageKeys | undefined): void => {
  const missing = notedIds(note).filter((id) => !keys?.find(id));
  if (missing.length > 0) throw new StorageKeyMissing(missing);
};
