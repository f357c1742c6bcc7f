import type { BlobStore } from './blob-store.ts';
import type { Config } from './config.ts';
import type { Live } from './live.ts';
import type { Outgoing } from './outgoing/outgoing.ts';
import type { Scopes } from './scope.ts';
import type { SecretKey } from './secret-key.ts';
import type { Sessions } from './sessions.ts';
import type { Vault } from './vault.ts';

/** What the running server is made of; features take from it what they need. */
export type Context = {
  config: Config;
  scopes: Scopes;
  sessions: Sessions;
  /** Where browsers listen for changes. */
  live: Live;
  secretKey: SecretKey;
  blobs: BlobStore;
  /** The only way to addresses that somebody has typed. */
  outgoing: Outgoing;
  /** Where secrets of other systems are sealed before they are stored. */
  vault: Vault;
};
