import type { KeyTexts } from '#core/blobs/storage-keys.ts';
import type { Storage } from '#core/blobs/storage-url.ts';
import { ConfigError } from './config-error.ts';
import { environment, storageOf } from './environment.ts';
import type { Scanner } from '#core/uploads/malware-scan.ts';
import type { AllowRule } from '#core/outgoing/allow-rules.ts';

export type MailServer = {
  url: string;
  /** PEM files of the client certificate that the mail server requires. */
  certificate?: { certFile: string; keyFile: string } | undefined;
};

export type Config = {
  isProduction: boolean;
  port: number;
  host: string;
  dataDir: string;
  storage: Storage;
  /** Bytes of local disk for cached objects of an object store; 0 disables the cache. */
  storageCacheBytes: number;
  /** The current key, if set, encrypts new files. Older files may need any of the keys. */
  storageKeys: KeyTexts;
  backupKeys: KeyTexts;
  databaseUrl: string | undefined;
  hasDemo: boolean;
  demoPassword: string | undefined;
  secretKey: string | undefined;
  secretKeyPrevious: string | undefined;
  publicUrl: string | undefined;
  sessionIdleMinutes: number;
  sessionHours: number;
  maxInstanceBytes: number;
  /** Free bytes on the disk of the store below which uploads are refused; 0 for no limit. */
  freeDiskBytes: number;
  /** Maximum number of uploads that one server accepts at the same time, per tenant and in total. */
  uploadsPerTenant: number;
  uploadsPerServer: number;
  /** Calls a minute: per session, per tenant, and per address for calls without a session. 0 for no limit. */
  callsPerSession: number;
  callsPerTenant: number;
  callsPerAddress: number;
  /** The same limits for image requests and uploads, which are counted separately from other calls. */
  imagesPerSession: number;
  imagesPerTenant: number;
  /** Undefined when metrics are off. */
  metricsPort: number | undefined;
  metricsHost: string;
  /**
   * In seconds. `drainSeconds`: from the announcement of the stop until calls are refused. `shutdownSeconds`: for calls
   * that are in progress then.
   */
  drainSeconds: number;
  shutdownSeconds: number;
  logLevel: string;
  trustProxy: boolean;
  /** Undefined when DIMSE is off. */
  dimsePort: number | undefined;
  dimseHost: string;
  /** PEM files. Undefined when DIMSE uses no TLS. With `caFile`, a device must show a certificate of this authority. */
  dimseTls: { certFile: string; keyFile: string; caFile: string | undefined } | undefined;
  dimseMaxAssociations: number;
  /** Undefined when attached files are not scanned for malware. */
  scanner: Scanner | undefined;
  remoteAllow: AllowRule[];
  remoteCaFile: string | undefined;
  remoteTimeoutSeconds: number;
  /** Undefined when the installation sends no mail. */
  mail: (MailServer & { from: string; publicUrl: string }) | undefined;
  breachedPasswordsFile: string | undefined;
};

/**
 * Reads the environment once; other files do not read it. Throws a ConfigError that names each wrong setting and the
 * expected form. An empty variable counts as absent, because shells and compose files create empty ones.
 */
export const readConfig = (source: Record<string, string | undefined> = process.env): Config => {
  const nonEmpty = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const { data: env, error } = environment.safeParse(nonEmpty);
  if (!env) {
    const faults = error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`Radwork cannot start with these settings:\n${faults.join('\n')}`);
  }
  const isProduction = env.NODE_ENV === 'production';
  return {
    isProduction,
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    storage: storageOf(env),
    storageKeys: { current: env.STORAGE_KEY, previous: env.STORAGE_KEY_PREVIOUS },
    backupKeys: { current: env.BACKUP_KEY, previous: env.BACKUP_KEY_PREVIOUS },
    storageCacheBytes: env.STORAGE_CACHE_MB * 1024 * 1024,
    databaseUrl: env.DATABASE_URL,
    hasDemo: env.DEMO ?? !isProduction,
    demoPassword: env.DEMO_PASSWORD,
    secretKey: env.SECRET_KEY,
    secretKeyPrevious: env.SECRET_KEY_PREVIOUS,
    publicUrl: env.PUBLIC_URL?.replace(/(?<!\/)\/+$/, ''),
    sessionIdleMinutes: env.SESSION_IDLE_MINUTES,
    sessionHours: env.SESSION_HOURS,
    maxInstanceBytes: env.MAX_INSTANCE_MB * 1024 * 1024,
    freeDiskBytes: env.FREE_DISK_MB * 1024 * 1024,
    uploadsPerTenant: env.UPLOADS_PER_TENANT,
    uploadsPerServer: env.UPLOADS_PER_SERVER,
    callsPerSession: env.CALLS_PER_SESSION,
    callsPerTenant: env.CALLS_PER_TENANT,
    callsPerAddress: env.CALLS_PER_ADDRESS,
    imagesPerSession: env.IMAGES_PER_SESSION,
    imagesPerTenant: env.IMAGES_PER_TENANT,
    metricsPort: env.METRICS_PORT,
    metricsHost: env.METRICS_HOST,
    drainSeconds: env.DRAIN_SECONDS,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
    logLevel: env.LOG_LEVEL,
    trustProxy: env.TRUST_PROXY,
    dimsePort: env.DIMSE_PORT,
    dimseHost: env.DIMSE_HOST,
    dimseTls:
      env.DIMSE_TLS_CERT_FILE && env.DIMSE_TLS_KEY_FILE
        ? { certFile: env.DIMSE_TLS_CERT_FILE, keyFile: env.DIMSE_TLS_KEY_FILE, caFile: env.DIMSE_TLS_CA_FILE }
        : undefined,
    dimseMaxAssociations: env.DIMSE_MAX_ASSOCIATIONS,
    scanner: env.CLAMD_ADDRESS && { ...env.CLAMD_ADDRESS, seesImages: env.SCAN_IMAGES },
    remoteAllow: env.REMOTE_ALLOW,
    remoteCaFile: env.REMOTE_CA_FILE,
    remoteTimeoutSeconds: env.REMOTE_TIMEOUT_SECONDS,
    mail:
      env.SMTP_URL && env.MAIL_FROM && env.PUBLIC_URL
        ? {
            url: env.SMTP_URL,
            certificate:
              env.SMTP_CERT_FILE && env.SMTP_KEY_FILE
                ? { certFile: env.SMTP_CERT_FILE, keyFile: env.SMTP_KEY_FILE }
                : undefined,
            from: env.MAIL_FROM,
            publicUrl: env.PUBLIC_URL.replace(/(?<!\/)\/+$/, ''),
          }
        : undefined,
    breachedPasswordsFile: env.BREACHED_PASSWORDS_FILE,
  };
};
