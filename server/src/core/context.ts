import type { AuditReads } from './audit-reads.ts';
import type { BlobStore } from './blob-store.ts';
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import type { Live } from './live.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Outgoing } from './outgoing/outgoing.ts';
import type { Probes } from './probes.ts';
import type { Scopes } from './scope.ts';
import type { SecretKey } from './secret-key.ts';
import type { Sessions } from './sessions.ts';
import type { Vault } from './vault.ts';

/** What the running server is made of; features take from it what they need. */
export type Context = {
  config: Config;
  scopes: Scopes;
  sessions: Sessions;
  /** Where readings and refusals are noted for the audit. */
  auditReads: AuditReads;
  /** Where browsers listen for changes. */
  live: Live;
  secretKey: SecretKey;
  blobs: BlobStore;
  /** The only way to addresses that somebody has typed. */
  outgoing: Outgoing;
  /** Where secrets of other systems are sealed before they are stored. */
  vault: Vault;
  /** Whether the database and the store answer. */
  probes: Probes;
  /** The migrations that came with this server. */
  migrations: readonly string[];
  /** What is counted for whoever runs the server. */
  metrics: Metrics;
  /** Whether the server is about to stop. */
  closing: Pick<Closing, 'hasBegun'>;
};
