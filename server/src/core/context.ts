import type { AuditReads } from './audit/audit-reads.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Shutdown } from './resources/shutdown.ts';
import type { Config } from './config/config.ts';
import type { Live } from './live/live.ts';
import type { Metrics } from './monitoring/metrics.ts';
import type { Outgoing } from './outgoing/open-outgoing.ts';
import type { Probes } from './monitoring/probes.ts';
import type { Scopes } from './access/scope.ts';
import type { SecretKey } from './installation/secret-key.ts';
import type { Sessions } from './access/sessions.ts';
import type { Vault } from './installation/vault.ts';

/** The services of the running server. A feature takes the ones that it needs. */
export type Context = {
  config: Config;
  scopes: Scopes;
  sessions: Sessions;
  /** Records reads and refused calls for the audit log. */
  auditReads: AuditReads;
  /** Sends changes to connected browsers. */
  live: Live;
  secretKey: SecretKey;
  blobs: BlobStore;
  /** Calls addresses that users entered. No other code may do this. */
  outgoing: Outgoing;
  /** Encrypts passwords and keys of other systems before they are stored. */
  vault: Vault;
  /** Tells whether database and store respond. */
  probes: Probes;
  /** Names of the migrations in this release. */
  migrations: readonly string[];
  /** Metrics for the operator. */
  metrics: Metrics;
  /** Tells whether the server is about to stop. */
  closing: Pick<Shutdown, 'hasBegun'>;
};
