import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { startAuditChain } from './core/audit/audit-chain.ts';
import { createAuditReads } from './core/audit/audit-reads.ts';
import { openBlobStore } from './core/blobs/open-blob-store.ts';
import { closeWithin, createShutdown } from './core/resources/shutdown.ts';
import { ConfigError } from './core/config/config-error.ts';
import { type Config, readConfig } from './core/config/config.ts';
import type { Context } from './core/context.ts';
import { assertConfined, kyselyOn, openOwnerPool, openServingPool } from './core/database/database.ts';
import { startEmbeddedPostgres } from './core/database/embedded-postgres.ts';
import { openLines } from './core/config/list-unencrypted-connections.ts';
import { assertCurrentBundle } from './core/installation/assert-current-bundle.ts';
import { agreeOnSecret, agreeOnStore, assertBelonging } from './core/installation/installation.ts';
import { createLive } from './core/live/live.ts';
import { resealMails, startMailing } from './core/notifications/mail.ts';
import { measuredStore } from './core/monitoring/measured-store.ts';
import { createMetrics } from './core/monitoring/metrics.ts';
import { readDatabase, readPool } from './core/monitoring/read-database.ts';
import { readProbes } from './core/monitoring/read-probes.ts';
import { readProcess } from './core/monitoring/read-process.ts';
import { serveMetrics } from './core/monitoring/serve-metrics.ts';
import { knownMigrations, migrate } from './core/database/migrate.ts';
import { openOutgoing } from './core/outgoing/open-outgoing.ts';
import { openProbes } from './core/monitoring/probes.ts';
import { faultLine } from './core/monitoring/request-log.ts';
import { assertStoreRestored } from './core/installation/restore-mark.ts';
import { openScopes } from './extensions.ts';
import { findSecretKey, openSecretKey, secretKeyOf } from './core/installation/secret-key.ts';
import { createSessions } from './core/access/sessions.ts';
import { createVault } from './core/installation/vault.ts';
import { resealDevices } from './reading/outreach/devices.ts';
import { resealPushKey } from './reading/outreach/push-key.ts';
import { resealWebhooks } from './reading/outreach/webhook-secrets.ts';
import { forgetConnectionsHourly } from './imaging/remote-archives/forget-connections.ts';
import { resealSecrets } from './imaging/remote-archives/reseal-secrets.ts';
import { features } from './features.ts';
import { openSetup, setupHours } from './identity/tenants/first-start.ts';
import { resealServiceKeys } from './reading/reporting-settings/stored-settings.ts';
import { resealSecondFactors } from './identity/accounts/reseal-accounts.ts';
import { resealSigningMeans } from './identity/signing-means/reseal-means.ts';
import { resealTextKeys } from './identity/sessions/text-key.ts';
import { resealClientSecrets } from './identity/single-sign-on/stored-settings.ts';
import { startUpkeep } from './imaging/archive/upkeep/run-upkeep.ts';
import { createApp } from './app.ts';
import { openGateway } from './imaging/dimse/gateway.ts';
import type { Log } from './imaging/dimse/serve-association.ts';

// The bytes of images are not in the garbage-collected heap, which is small. By default V8 counts them too, so every
// few images start a full collection. These collections took a third of the processor time of an upload.
setFlagsFromString('--external-memory-accounted-in-global-limit');

const webFolder = resolve(import.meta.dirname, '../../web/dist');
const say = (text: string) => process.stdout.write(`${text}\n`);

const closing = createShutdown();
/**
 * `drainSeconds`: seconds in which load balancers can notice the stop. `shutdownSeconds`: seconds that calls then have
 * to end. These values apply until the settings are read.
 */
let patience = { drainSeconds: 0, shutdownSeconds: 60 };

const start = async (config: Config) => {
  await assertCurrentBundle(process.argv[1] ?? '');
  const metrics = createMetrics();
  const blobs = measuredStore(await openBlobStore(config), metrics);
  closing.add(blobs.close);
  await assertStoreRestored(blobs);
  const url = config.databaseUrl ?? (await startEmbedded(config.dataDir));
  const previousKey = config.secretKeyPrevious === undefined ? undefined : secretKeyOf(config.secretKeyPrevious);
  const keyThere = await findSecretKey(config.secretKey, config.dataDir);
  await withOwner(url, (owner) => assertBelonging(owner, { blobs, secretKey: keyThere, previousKey }));
  const migrated = await migrate(url);
  if (migrated.length > 0) say(`Database: applied ${migrated.join(', ')}`);

  const pool = openServingPool(url);
  closing.add(() => pool.end());
  await assertConfined(pool);
  const scopes = openScopes(kyselyOn(pool));
  const sessions = createSessions(scopes, config);
  closing.add(sessions.listen(url));
  const live = createLive(scopes, sessions);
  closing.add(live.listen(url));
  const secretKey = keyThere ?? (await openSecretKey(config.secretKey, config.dataDir));
  const outgoing = openOutgoing(config);
  closing.add(outgoing.close);
  const probes = openProbes(url, blobs);
  closing.add(probes.close);
  await withOwner(url, async (owner) => {
    await agreeOnSecret(owner, secretKey, previousKey);
    await agreeOnStore(owner, blobs);
  });
  const failed = (what: string) => (error: unknown) => process.stderr.write(faultLine(50, what, error));
  closing.add(
    startAuditChain({ scopes, dataDir: config.dataDir, onError: failed('The audit log could not be sealed') }),
  );
  const auditReads = createAuditReads({
    scopes,
    onError: (error, lost) => {
      failed('The audit log could not be written')(error);
      for (const { session, ...act } of lost) {
        const { userId, tenantId, address } = session;
        say(JSON.stringify({ notAudited: { userId, tenantId, address, ...act } }));
      }
    },
  });
  closing.add(auditReads.close);
  const context: Context = {
    config,
    scopes,
    sessions,
    auditReads,
    live,
    secretKey,
    blobs,
    outgoing,
    vault: createVault(secretKey, previousKey ? [previousKey] : []),
    probes,
    migrations: await knownMigrations(),
    metrics,
    closing,
  };
  if (previousKey) await reseal(context, url);
  closing.add(forgetConnectionsHourly(scopes));
  const app = await createApp(context, webFolder);
  const within = config.shutdownSeconds * 1000;
  closing.add(() =>
    closeWithin(within, { close: () => app.close(), breakOff: () => app.server.closeAllConnections() }),
  );
  // Loads the demo before the server listens, so that every printed sign-in works.
  if (config.hasDemo) await demonstrate(context, url);
  await app.listen({ port: config.port, host: config.host, listenTextResolver: () => 'listening' });
  const { port } = app.server.address() as { port: number };
  closing.add(startMailing(context, url, { onError: (error) => app.log.error({ err: error }, 'mail failed') }));
  closing.add(startUpkeep(context, app.log));
  for (const { start } of features) if (start) closing.add(start({ context, url, log: app.log }));
  say(`Radwork is on http://${config.host}:${port}`);
  for (const { setting, words } of openLines(config)) say(`${setting}: ${words}`);
  await offerSetup(url, config.publicUrl ?? `http://${config.host}:${port}`);
  if (config.dimsePort !== undefined) await listenForDevices(context, config.dimsePort, app.log);
  if (config.metricsPort !== undefined)
    await openMetricsServer(context, config.metricsPort, { pool, url, log: app.log });
};

/**
 * Prints a setup link. There is no default account: the operator, who can read the output, creates the first account.
 */
const offerSetup = (url: string, address: string) =>
  withOwner(url, async (owner) => {
    const path = await openSetup(owner);
    if (path === undefined) return;
    say(`Create the first organization within ${setupHours} hours at ${address}${path}`);
  });

const listenForDevices = async (context: Context, port: number, log: Log) => {
  const { dimseHost: host } = context.config;
  const gateway = await openGateway(context, { port, host, log });
  closing.add(gateway.close);
  say(`DIMSE is on ${host}:${gateway.port}${context.config.dimseTls ? ' (TLS)' : ''}`);
};

type Sources = { pool: Parameters<typeof readPool>[1]; url: string; log: Log };

const openMetricsServer = async (
  { config, metrics, probes, blobs }: Context,
  port: number,
  { pool, url, log }: Sources,
) => {
  const { registry } = metrics;
  const stopMeasuring = readProcess(registry);
  closing.add(async () => stopMeasuring());
  readPool(registry, pool);
  closing.add(readDatabase(registry, url));
  readProbes(registry, probes, blobs);
  const onError = (metric: string, error: unknown) => log.error({ metric, err: error }, 'metric cannot be read');
  const served = await serveMetrics({ registry, port, host: config.metricsHost, onError });
  closing.add(served.close);
  say(`Metrics are on http://${config.metricsHost}:${served.port}/metrics`);
};

/**
 * Encrypts all secrets with the new key if both keys are set. After this, the operator may remove the previous key from
 * the settings.
 */
const reseal = ({ vault }: Context, url: string) =>
  withOwner(url, async (owner) => {
    const count = await resealSecrets(owner, vault);
    if (count > 0) say(`Secrets: remote archives sealed with the new SECRET_KEY: ${count}`);
    const factors = await resealSecondFactors(owner, vault);
    if (factors > 0) say(`Secrets: second factors sealed with the new SECRET_KEY: ${factors}`);
    const means = await resealSigningMeans(owner, vault);
    if (means > 0) say(`Secrets: saved signatures and PINs sealed with the new SECRET_KEY: ${means}`);
    const textKeys = await resealTextKeys(owner, vault);
    if (textKeys.moved > 0) say(`Secrets: text keys of users sealed with the new SECRET_KEY: ${textKeys.moved}`);
    if (textKeys.givenUp > 0) {
      say(
        `Secrets: text keys of users that neither SECRET_KEY opens: ${textKeys.givenUp}. Unsent texts in their browsers are lost.`,
      );
    }
    const keys = await resealServiceKeys(owner, vault);
    if (keys > 0) say(`Secrets: AI and dictation keys sealed with the new SECRET_KEY: ${keys}`);
    const clients = await resealClientSecrets(owner, vault);
    if (clients > 0) say(`Secrets: single sign-on clients sealed with the new SECRET_KEY: ${clients}`);
    await resealPushKey(owner, vault);
    const devices = await resealDevices(owner, vault);
    if (devices > 0) say(`Secrets: push devices sealed with the new SECRET_KEY: ${devices}`);
    const hooks = await resealWebhooks(owner, vault);
    if (hooks > 0) say(`Secrets: webhooks sealed with the new SECRET_KEY: ${hooks}`);
    const letters = await resealMails(owner, vault);
    if (letters > 0) say(`Secrets: waiting messages sealed with the new SECRET_KEY: ${letters}`);
  });

/** Imported here, because the demo generator takes 95 MB, which other servers do not need. */
const demonstrate = async (context: Context, url: string) => {
  const { loadDemo } = await import('./demo/load-demo.ts');
  await withOwner(url, (owner) => loadDemo(context, owner, say));
};

const startEmbedded = async (dataDir: string): Promise<string> => {
  const postgres = await startEmbeddedPostgres(join(dataDir, 'postgres'));
  closing.add(postgres.stop);
  return postgres.url('postgres');
};

const withOwner = async (url: string, work: (owner: ReturnType<typeof kyselyOn>) => Promise<void>) => {
  const pool = openOwnerPool(url);
  await work(kyselyOn(pool)).finally(() => pool.end());
};

/** Milliseconds after the first signal. A second signal within this time counts as the same signal. */
const oneSignal = 1000;

/** Milliseconds to wait after `shutdownSeconds`. Work that is not finished then is not expected to finish. */
const lastWait = 15_000;

/**
 * Announces the stop and waits until load balancers have noticed it. Then refuses new calls, finishes current calls,
 * and stops. A second signal stops the server at once. One signal may arrive twice, from the terminal and from the
 * parent process, and then counts once.
 */
const stop = async (code: 0 | 1 = 0) => {
  if (closing.hasBegun()) return;
  closing.begin();
  const stopStarted = performance.now();
  const leave = () => {
    if (performance.now() - stopStarted > oneSignal) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, leave);
  const { drainSeconds, shutdownSeconds } = patience;
  await wait(drainSeconds * 1000);
  setTimeout(terminate, shutdownSeconds * 1000 + lastWait).unref();
  const failures = await closing.closeAll();
  for (const error of failures) process.stderr.write(`Shutdown error: ${reasonOf(error)}\n`);
  process.exit(failures.length === 0 ? code : 1);
};

const terminate = () => {
  process.stderr.write('Radwork did not stop in time and was terminated. Acknowledged data is safe.\n');
  process.exit(1);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

/** Finishes current work and ends the process. After an unexpected error, the state of the process is unknown. */
const stopForError = (error: unknown) => {
  process.stderr.write(faultLine(60, 'unexpected', error));
  void stop(1);
};
// Errors of stderr are ignored, because they cannot be reported either.
process.stderr.on('error', () => {});
process.on('uncaughtException', stopForError);
process.on('unhandledRejection', stopForError);

/** Returns only the message when the operator can fix the error, and otherwise the stack. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return error.message;
  if ('code' in error && error.code === 'EADDRINUSE')
    return `Radwork cannot start: ${error.message}. Set another PORT.`;
  return error.stack ?? error.message;
};

const fail = async (error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  // Errors during the shutdown are usually consequences of the first error, so only the first is reported.
  await closing.closeAll();
  process.exit(1);
};

try {
  const config = readConfig();
  patience = config;
  await start(config);
} catch (error) {
  // If a signal arrives during the start, the shutdown closes connections. The errors that this causes are not
  // reported.
  if (!closing.hasBegun()) await fail(error);
}
