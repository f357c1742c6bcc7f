import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { readConfig } from './config.ts';
import { openLines } from './list-unencrypted-connections.ts';

const production = {
  NODE_ENV: 'production',
  SECRET_KEY: 'a-secret-of-at-least-32-characters',
  PUBLIC_URL: 'https://radwork.example.org',
};

test('without settings the server listens locally, with demo data and an embedded database', () => {
  const config = readConfig({});

  expect(config).toMatchObject({
    isProduction: false,
    port: 8080,
    host: '127.0.0.1',
    dataDir: resolve(import.meta.dirname, '../../../../data'),
    databaseUrl: undefined,
    hasDemo: true,
    trustProxy: false,
  });
});

test('call limits have defaults, and 0 switches a limit off', () => {
  expect(readConfig({})).toMatchObject({
    callsPerSession: 600,
    callsPerTenant: 30_000,
    callsPerAddress: 6000,
    imagesPerSession: 30_000,
    imagesPerTenant: 600_000,
  });
  expect(readConfig({ CALLS_PER_SESSION: '0' }).callsPerSession).toBe(0);
  expect(() => readConfig({ CALLS_PER_SESSION: '-1' })).toThrow(/CALLS_PER_SESSION/);
});

test('production loads demo data only on request', () => {
  expect(readConfig(production).hasDemo).toBe(false);
  expect(readConfig({ ...production, DEMO: '1' }).hasDemo).toBe(true);
});

test('production refuses to start without a secret key and a public URL, and names both', () => {
  const start = () => readConfig({ NODE_ENV: 'production' });

  expect(start).toThrow(ConfigError);
  expect(start).toThrow(/SECRET_KEY is required in production/);
  expect(start).toThrow(/PUBLIC_URL is required in production/);
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://localhost/radwork'],
  ['DEMO', 'yes'],
  ['DEMO_PASSWORD', 'short'],
  ['SECRET_KEY', 'short'],
  ['PUBLIC_URL', 'radwork.example.org'],
  ['SESSION_IDLE_MINUTES', '0'],
  ['DRAIN_SECONDS', '-1'],
  ['SHUTDOWN_SECONDS', '0'],
  ['LOG_LEVEL', 'loud'],
  ['NODE_ENV', 'staging'],
  ['STORAGE_KEY', 'short'],
  ['STORAGE_KEY', 'long enough to be a key, with blanks in it'],
  ['STORAGE_KEY_PREVIOUS', 'a-key-that-is-long-enough-to-be-one,short'],
])('refuses the setting %s=%s and names the setting', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(
    new RegExp(`^Radwork cannot start with these settings:\n  ${name} `),
  );
});

test('names all invalid settings at once', () => {
  expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'loud' })).toThrow(/PORT[^]*LOG_LEVEL/);
});

test('an error about a setting never repeats its value, because the value may be a secret', () => {
  const start = () => readConfig({ DATABASE_URL: 'mysql://rosa:hunter2@db/radwork', SECRET_KEY: 'hunter2' });

  expect(start).toThrow(/DATABASE_URL[^]*SECRET_KEY/);
  expect(start).not.toThrow(/hunter2/);
});

test('an empty setting counts as missing', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO_PASSWORD: '' })).toEqual(readConfig({}));
});

test('removes the final slash of the public URL', () => {
  expect(readConfig({ PUBLIC_URL: 'https://radwork.example.org/' }).publicUrl).toBe('https://radwork.example.org');
});

test('stores images in the data folder by default', () => {
  const { storage, dataDir } = readConfig({});

  expect(storage).toEqual({ kind: 'local', folder: join(dataDir, 'archive') });
});

const objectStore = {
  STORAGE_URL: 's3://s3.example.org/archive',
  STORAGE_ACCESS_KEY: 'AKIA',
  STORAGE_SECRET_KEY: 'hidden',
  SECRET_KEY: production.SECRET_KEY,
};

test('reads the settings of an object store with its keys', () => {
  expect(readConfig(objectStore).storage).toMatchObject({
    kind: 's3',
    keys: { accessKey: 'AKIA', secretKey: 'hidden' },
  });
});

test('an invalid storage URL stops the start, and the message does not contain the secret', () => {
  const start = () => readConfig({ ...objectStore, STORAGE_URL: 's3://AKIA:hidden@s3.example.org' });

  expect(start).toThrow(/STORAGE_URL must name a host and a bucket/);
  expect(start).not.toThrow(/hidden/);
});

test('a storage shared by several servers requires a secret key', () => {
  expect(() => readConfig({ ...objectStore, SECRET_KEY: '' })).toThrow(/SECRET_KEY is required with STORAGE_URL/);
});

test('with an object store, the limit for files cannot exceed the largest object', () => {
  expect(() => readConfig({ ...objectStore, MAX_INSTANCE_MB: '6000' })).toThrow(/MAX_INSTANCE_MB must be at most 5120/);
});

test('an invalid allow rule for remote archives stops the start with a message that quotes the rule', () => {
  expect(() => readConfig({ REMOTE_ALLOW: 'net=10.0.0.7 ports=443; host=pacs.lan ports=443' })).toThrow(
    'REMOTE_ALLOW "host=pacs.lan ports=443" needs net=',
  );
});

test('mail settings require a sender and the public URL for links', () => {
  const url = 'smtp://mail.example.org:587';

  expect(() => readConfig({ SMTP_URL: url })).toThrow(/MAIL_FROM is required with SMTP_URL[^]*PUBLIC_URL is required/);
  expect(() => readConfig({ SMTP_URL: 'https://mail.example.org' })).toThrow(/SMTP_URL must look like smtp:/);
  expect(readConfig({ MAIL_FROM: 'a@example.org' }).mail).toBeUndefined();
  expect(
    readConfig({ SMTP_URL: url, MAIL_FROM: 'a@example.org', PUBLIC_URL: 'https://radwork.example.org/' }).mail,
  ).toEqual({ url, from: 'a@example.org', publicUrl: 'https://radwork.example.org' });
});

test('a client certificate for the mail server requires its key', () => {
  const own = import.meta.filename;

  expect(() => readConfig({ SMTP_CERT_FILE: own })).toThrow(/SMTP_CERT_FILE needs its counterpart/);
  expect(() => readConfig({ SMTP_KEY_FILE: own })).toThrow(/SMTP_KEY_FILE needs its counterpart/);
  expect(() => readConfig({ SMTP_CERT_FILE: own, SMTP_KEY_FILE: own })).not.toThrow();
});

test('the file of breached passwords must exist', () => {
  expect(() => readConfig({ BREACHED_PASSWORDS_FILE: '/nowhere/at/all' })).toThrow(/must be an existing file/);
});

test('STORAGE_KEY encrypts images and must differ from SECRET_KEY', () => {
  const [one, other, third] = ['first', 'second', 'third'].map((name) => `${name}-key-of-at-least-32-characters`);

  expect(readConfig({}).storageKeys).toEqual({ current: undefined, previous: [] });
  expect(readConfig({ STORAGE_KEY: one, STORAGE_KEY_PREVIOUS: `${other}, ${third}` }).storageKeys).toEqual({
    current: one,
    previous: [other, third],
  });
  expect(() => readConfig({ SECRET_KEY: one, STORAGE_KEY: one })).toThrow(/STORAGE_KEY must differ from SECRET_KEY/);
});

test('BACKUP_KEY encrypts backups and must differ from the other keys', () => {
  const [one, other, third] = ['first', 'second', 'third'].map((name) => `${name}-key-of-at-least-32-characters`);

  expect(readConfig({}).backupKeys).toEqual({ current: undefined, previous: [] });
  expect(readConfig({ STORAGE_KEY: other, BACKUP_KEY: one, BACKUP_KEY_PREVIOUS: third }).backupKeys).toEqual({
    current: one,
    previous: [third],
  });
  expect(() => readConfig({ SECRET_KEY: one, BACKUP_KEY: one })).toThrow(/BACKUP_KEY must differ from SECRET_KEY/);
  expect(() => readConfig({ STORAGE_KEY: one, BACKUP_KEY: one })).toThrow(/BACKUP_KEY must differ from STORAGE_KEY/);
});

test('DIMSE over TLS requires a certificate and a key, and both files must exist', () => {
  const file = import.meta.filename;
  const all = { DIMSE_TLS_CERT_FILE: file, DIMSE_TLS_KEY_FILE: file, DIMSE_TLS_CA_FILE: file };

  expect(readConfig(all).dimseTls).toEqual({ certFile: file, keyFile: file, caFile: file });
  expect(readConfig({}).dimseTls).toBeUndefined();
  expect(() => readConfig({ DIMSE_TLS_CERT_FILE: file })).toThrow(/DIMSE_TLS_KEY_FILE is required for DIMSE over TLS/);
  expect(() => readConfig({ DIMSE_TLS_CA_FILE: file })).toThrow(
    /DIMSE_TLS_CERT_FILE is required[^]*DIMSE_TLS_KEY_FILE/,
  );
  expect(() => readConfig({ ...all, DIMSE_TLS_KEY_FILE: '/nowhere' })).toThrow(
    /DIMSE_TLS_KEY_FILE must be an existing file/,
  );
});

const databaseAt = (hostAndPath: string) => ({
  ...production,
  DATABASE_URL: `postgres://radwork:hunter2@${hostAndPath}`,
});

test.each([
  'db.example.org/radwork',
  '10.0.0.7/radwork',
  '10.0.0.7/radwork?sslmode=prefer',
  'db.example.org/radwork?sslmode=no-verify',
  'db.example.org/radwork?sslmode=require&uselibpqcompat=true',
  'db.example.org/radwork?sslmode=verify-full&sslmode=prefer',
  'localhost/radwork?host=db.example.org',
  '127.0.0.1.example.org/radwork',
])('production refuses an unencrypted connection to the database at %s', (hostAndPath) => {
  const start = () => readConfig(databaseAt(hostAndPath));

  expect(start).toThrow(/DATABASE_URL needs sslmode=verify-full/);
  expect(start).not.toThrow(/hunter2/);
});

test.each([
  'db.example.org/radwork?sslmode=verify-full',
  'db.example.org/radwork?sslmode=disable',
  'localhost/radwork',
  '127.0.0.1:5433/radwork',
  '[::1]/radwork',
  'localhost/radwork?host=/var/run/postgresql',
])('production accepts the database connection %s', (hostAndPath) => {
  expect(readConfig(databaseAt(hostAndPath)).databaseUrl).toContain('radwork');
});

test('lists each setting whose connection leaves the machine unencrypted', () => {
  const settings = (far: string) => ({
    ...objectStore,
    DATABASE_URL: `postgres://radwork@${far}/radwork?sslmode=disable`,
    STORAGE_URL: `s3://${far}:9000/archive?tls=0`,
    CLAMD_ADDRESS: `${far}:3310`,
    DIMSE_PORT: '104',
    DIMSE_HOST: far,
  });
  const openSettings = (far: string) => openLines(readConfig(settings(far))).map(({ setting }) => setting);

  expect(openSettings('10.0.0.7')).toEqual(['DATABASE_URL', 'STORAGE_URL', 'CLAMD_ADDRESS', 'DIMSE_PORT']);
  expect(openSettings('127.0.0.1')).toEqual([]);
  const encrypted = { ...objectStore, DATABASE_URL: 'postgres://db.example.org/radwork?sslmode=verify-full' };
  expect(openLines(readConfig(encrypted))).toEqual([]);
});
