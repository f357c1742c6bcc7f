import { t } from '@radwork/contract/core/translate';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { databaseFault } from './unencrypted-connections.ts';
import { readStorageUrl, type Storage, StorageUrlError } from '#core/blobs/storage-url.ts';
import type { ScannerAddress } from '#core/uploads/malware-scan.ts';
import { type AllowRule, readAllowRules } from '#core/outgoing/allow-rules.ts';

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');
const root = resolve(import.meta.dirname, '../../../..');

const allowRules = z.string().transform((text, context): AllowRule[] => {
  try {
    return readAllowRules(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : t`cannot be read` });
    return z.NEVER;
  }
});

const scannerAddress = z
  .string()
  .regex(/^[\w.-]+:\d{1,5}$/, { error: () => t`must look like 127.0.0.1:3310` })
  .transform((text): ScannerAddress => {
    const [host = '', port = ''] = text.split(':');
    return { host, port: Number(port) };
  });

const storageKey = z
  .string()
  .regex(/^[^\s,]{32,}$/, { error: () => t`must have at least 32 characters, without commas or spaces` });

const storageKeys = z
  .string()
  .regex(/^[^\s,]{32,}(, *[^\s,]{32,})*$/, {
    error: () => t`must be keys of at least 32 characters, separated by commas`,
  })
  .transform((text) => text.split(/, */));

/** Calls per minute. 0 means no limit. */
const perMinute = z.coerce.number().int().min(0).max(10_000_000);

const filePath = z
  .string()
  .min(1)
  .transform((path) => resolve(root, path))
  .refine((path) => existsSync(path), { error: () => t`must be an existing file` });

/** Pairs of keys that must differ, so that losing one key affects only one purpose. */
const keysApart = [
  ['STORAGE_KEY', 'SECRET_KEY'],
  ['BACKUP_KEY', 'SECRET_KEY'],
  ['BACKUP_KEY', 'STORAGE_KEY'],
] as const;

/** All settings. The README lists them in a table. An invalid value stops the start with its message. */
export const environment = z
  .object({
    NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    HOST: z.string().min(1).default('127.0.0.1'),
    DATA_DIR: z
      .string()
      .min(1)
      .default('data')
      .transform((path) => resolve(root, path)),
    STORAGE_URL: z.string().optional(),
    STORAGE_ACCESS_KEY: z.string().optional(),
    STORAGE_SECRET_KEY: z.string().optional(),
    STORAGE_KEY: storageKey.optional(),
    STORAGE_KEY_PREVIOUS: storageKeys.default([]),
    BACKUP_KEY: storageKey.optional(),
    BACKUP_KEY_PREVIOUS: storageKeys.default([]),
    STORAGE_CACHE_MB: z.coerce.number().int().min(0).default(1024),
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: () => t`must look like postgres://user:password@host/database` })
      .optional(),
    DEMO: flag.optional(),
    DEMO_PASSWORD: z
      .string()
      .min(12, { error: () => t`must have at least 12 characters` })
      .max(128)
      .optional(),
    SECRET_KEY: z
      .string()
      .min(32, { error: () => t`must have at least 32 characters` })
      .optional(),
    SECRET_KEY_PREVIOUS: z
      .string()
      .min(32, { error: () => t`must have at least 32 characters` })
      .optional(),
    PUBLIC_URL: z.url({ protocol: /^https?$/, error: () => t`must look like https://radwork.example.org` }).optional(),
    SESSION_IDLE_MINUTES: z.coerce.number().int().min(1).max(1440).default(30),
    SESSION_HOURS: z.coerce.number().int().min(1).max(168).default(12),
    MAX_INSTANCE_MB: z.coerce.number().int().min(1).max(16_384).default(2048),
    FREE_DISK_MB: z.coerce.number().int().min(0).default(2048),
    UPLOADS_PER_TENANT: z.coerce.number().int().min(1).default(12),
    UPLOADS_PER_SERVER: z.coerce.number().int().min(1).default(24),
    CALLS_PER_SESSION: perMinute.default(600),
    CALLS_PER_TENANT: perMinute.default(30_000),
    CALLS_PER_ADDRESS: perMinute.default(6000),
    IMAGES_PER_SESSION: perMinute.default(30_000),
    IMAGES_PER_TENANT: perMinute.default(600_000),
    METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    METRICS_HOST: z.string().min(1).default('127.0.0.1'),
    DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
    SHUTDOWN_SECONDS: z.coerce.number().int().min(1).max(3600).default(60),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('warn'),
    TRUST_PROXY: flag.default(false),
    DIMSE_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    DIMSE_HOST: z.string().min(1).default('127.0.0.1'),
    DIMSE_TLS_CERT_FILE: filePath.optional(),
    DIMSE_TLS_KEY_FILE: filePath.optional(),
    DIMSE_TLS_CA_FILE: filePath.optional(),
    DIMSE_MAX_ASSOCIATIONS: z.coerce.number().int().min(4).max(1000).default(32),
    CLAMD_ADDRESS: scannerAddress.optional(),
    SCAN_IMAGES: flag.default(false),
    REMOTE_ALLOW: allowRules.default([]),
    REMOTE_CA_FILE: z
      .string()
      .min(1)
      .transform((path) => resolve(root, path))
      .optional(),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, error: () => t`must look like smtp://user:password@mail.example.org:587` })
      .optional(),
    SMTP_CERT_FILE: filePath.optional(),
    SMTP_KEY_FILE: filePath.optional(),
    MAIL_FROM: z.string().min(3).max(320).optional(),
    BREACHED_PASSWORDS_FILE: filePath.optional(),
    REMOTE_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3600).default(30),
  })
  .superRefine(({ NODE_ENV, SECRET_KEY, PUBLIC_URL }, context) => {
    if (NODE_ENV !== 'production') return;
    const missing = {
      ...(!SECRET_KEY && { SECRET_KEY: 'a random text of at least 32 characters' }),
      ...(!PUBLIC_URL && { PUBLIC_URL: 'the address that users type' }),
    };
    for (const [name, what] of Object.entries(missing)) {
      context.addIssue({ code: 'custom', path: [name], message: t`is required in production: ${what}` });
    }
  })
  .superRefine(({ SMTP_URL, MAIL_FROM, PUBLIC_URL }, context) => {
    if (!SMTP_URL) return;
    const missing = {
      ...(!MAIL_FROM && { MAIL_FROM: 'the sender address of the mail' }),
      ...(!PUBLIC_URL && { PUBLIC_URL: 'the address that users type, for the links in the mail' }),
    };
    for (const [name, what] of Object.entries(missing)) {
      context.addIssue({ code: 'custom', path: [name], message: t`is required with SMTP_URL: ${what}` });
    }
  })
  .superRefine(({ SMTP_CERT_FILE, SMTP_KEY_FILE }, context) => {
    if (Boolean(SMTP_CERT_FILE) === Boolean(SMTP_KEY_FILE)) return;
    const message = 'needs its counterpart: set both SMTP_CERT_FILE and SMTP_KEY_FILE, or neither';
    context.addIssue({ code: 'custom', path: [SMTP_CERT_FILE ? 'SMTP_CERT_FILE' : 'SMTP_KEY_FILE'], message });
  })
  .superRefine((env, context) => {
    for (const [name, other] of keysApart) {
      if (env[name] === undefined || env[name] !== env[other]) continue;
      context.addIssue({ code: 'custom', path: [name], message: t`must differ from ${other}` });
    }
  })
  .superRefine(({ DIMSE_TLS_CERT_FILE, DIMSE_TLS_KEY_FILE, DIMSE_TLS_CA_FILE }, context) => {
    const missing = {
      ...(!DIMSE_TLS_CERT_FILE && { DIMSE_TLS_CERT_FILE: 'the certificate of this server and its chain' }),
      ...(!DIMSE_TLS_KEY_FILE && { DIMSE_TLS_KEY_FILE: 'the key of that certificate' }),
    };
    if (!DIMSE_TLS_CERT_FILE && !DIMSE_TLS_KEY_FILE && !DIMSE_TLS_CA_FILE) return;
    for (const [name, what] of Object.entries(missing)) {
      context.addIssue({ code: 'custom', path: [name], message: t`is required for DIMSE over TLS: ${what}` });
    }
  })
  .superRefine(({ SCAN_IMAGES, CLAMD_ADDRESS }, context) => {
    if (!SCAN_IMAGES || CLAMD_ADDRESS) return;
    const message = 'is required with SCAN_IMAGES: the address of the scanner';
    context.addIssue({ code: 'custom', path: ['CLAMD_ADDRESS'], message });
  })
  .superRefine(({ NODE_ENV, DATABASE_URL }, context) => {
    if (NODE_ENV !== 'production' || DATABASE_URL === undefined) return;
    const fault = databaseFault(DATABASE_URL);
    if (fault) context.addIssue({ code: 'custom', path: ['DATABASE_URL'], message: fault });
  })
  .superRefine((env, context) => {
    for (const [name, message] of Object.entries(storageFaults(env))) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

type StorageSettings = {
  DATA_DIR: string;
  STORAGE_URL?: string | undefined;
  STORAGE_ACCESS_KEY?: string | undefined;
  STORAGE_SECRET_KEY?: string | undefined;
  STORAGE_KEY?: string | undefined;
  SECRET_KEY?: string | undefined;
  MAX_INSTANCE_MB: number;
};

/** The largest object that AWS accepts in one request. An encrypted object is slightly larger than its file. */
const largestObjectMb = ({ STORAGE_KEY }: StorageSettings) => (STORAGE_KEY === undefined ? 5120 : 5118);

/** Returns the place of the images. Throws StorageUrlError. */
export const storageOf = ({
  DATA_DIR,
  STORAGE_URL,
  STORAGE_ACCESS_KEY,
  STORAGE_SECRET_KEY,
}: StorageSettings): Storage =>
  STORAGE_URL === undefined
    ? { kind: 'local', folder: join(DATA_DIR, 'archive') }
    : readStorageUrl(STORAGE_URL, { accessKey: STORAGE_ACCESS_KEY, secretKey: STORAGE_SECRET_KEY });

const storageFaults = (env: StorageSettings): Record<string, string> => {
  if (env.STORAGE_URL === undefined) return {};
  try {
    const isTooLarge = storageOf(env).kind === 's3' && env.MAX_INSTANCE_MB > largestObjectMb(env);
    return {
      ...(isTooLarge && { MAX_INSTANCE_MB: `must be at most ${largestObjectMb(env)} with an object store` }),
      // Several servers may share this storage. If each server generated its own secret, a link of one server would
      // fail on the others.
      ...(!env.SECRET_KEY && { SECRET_KEY: 'is required with STORAGE_URL, the same on all servers of one database' }),
    };
  } catch (error) {
    if (!(error instanceof StorageUrlError)) throw error;
    return { STORAGE_URL: error.message };
  }
};
