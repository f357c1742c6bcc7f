import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { openBlobStore } from '#core/blobs/open-blob-store.ts';
import { type Config, ConfigError, readConfig } from '#core/config.ts';
import type { Context } from '#core/context.ts';
import { assertConfined, kyselyOn, openOwnerPool, openServingPool } from '#core/database.ts';
import { startEmbeddedPostgres } from '#core/embedded-postgres.ts';
import { agreeOnSecret, agreeOnStore } from '#core/installation.ts';
import { createLive } from '#core/live.ts';
import { migrate } from '#core/migrate.ts';
import { openOutgoing } from '#core/outgoing/outgoing.ts';
import { createScopes } from '#core/scope.ts';
import { openSecretKey, secretKeyOf } from '#core/secret-key.ts';
import { createSessions } from '#core/sessions.ts';
import { createVault } from '#core/vault.ts';
import { startEscalation } from '#features/critical-findings/jobs.ts';
import { startImports } from '#features/import-jobs/jobs.ts';
import { startNotificationRounds } from '#features/notifications/jobs.ts';
import { startDeliveries } from '#features/report-delivery/jobs.ts';
import { forgetConnectionsHourly } from '#features/remote-archives/forget-connections.ts';
import { resealSecrets } from '#features/remote-archives/reseal-secrets.ts';
import { resealAiKeys } from '#features/reporting-settings/stored-settings.ts';
import { startUpkeep } from '#archive/upkeep/upkeep.ts';
import { createApp } from './app.ts';
import { openGateway } from './dimse/gateway.ts';
import type { Log } from './dimse/serve-association.ts';

// Images are bytes outside of the collector's heap, which is small. Measured by itself, as V8 does unless told so, every
// few images would start a collection of all of it: a third of the processor time of an upload.
setFlagsFromString('--external-memory-accounted-in-global-limit');

const webFolder = resolve(import.meta.dirname, '../../web/dist');
const say = (text: string) => process.stdout.write(`${text}\n`);

/** What has been opened, to be closed in reverse order. */
const closing: (() => Promise<unknown>)[] = [];

const start = async (config: Config) => {
  const url = config.databaseUrl ?? (await startEmbedded(config.dataDir));
  const migrated = await migrate(url);
  if (migrated.length > 0) say(`Database: applied ${migrated.join(', ')}`);

  const pool = openServingPool(url);
  closing.push(() => pool.end());
  await assertConfined(pool);
  const scopes = createScopes(kyselyOn(pool));
  const sessions = createSessions(scopes, config);
  closing.push(sessions.listen(url));
  const live = createLive(scopes, sessions);
  closing.push(live.listen(url));
  const secretKey = await openSecretKey(config.secretKey, config.dataDir);
  const outgoing = openOutgoing(config);
  closing.push(outgoing.close);
  const blobs = await openBlobStore(config);
  closing.push(blobs.close);
  const previousKey = config.secretKeyPrevious === undefined ? undefined : secretKeyOf(config.secretKeyPrevious);
  await withOwner(url, async (owner) => {
    await agreeOnSecret(owner, secretKey, previousKey);
    await agreeOnStore(owner, blobs);
  });
  const context: Context = {
    config,
    scopes,
    sessions,
    live,
    secretKey,
    blobs,
    outgoing,
    vault: createVault(secretKey, previousKey ? [previousKey] : []),
  };
  if (previousKey) await reseal(context, url);
  closing.push(forgetConnectionsHourly(scopes));
  const app = await createApp(context, webFolder);
  closing.push(() => app.close());
  // Before anybody can come in: an address that is printed is one where the sign-ins work.
  if (config.hasDemo) await demonstrate(context, url);
  await app.listen({ port: config.port, host: config.host, listenTextResolver: () => 'listening' });
  const { port } = app.server.address() as { port: number };
  closing.push(startImports(context, url, { onError: (error) => app.log.error({ err: error }, 'an import failed') }));
  closing.push(
    startDeliveries(context, url, { onError: (error) => app.log.error({ err: error }, 'a sending failed') }),
  );
  closing.push(startUpkeep(context, app.log));
  closing.push(startEscalation(scopes, (error) => app.log.error({ err: error }, 'escalating failed')));
  closing.push(startNotificationRounds(scopes, (error) => app.log.error({ err: error }, 'notifying failed')));
  say(`Radwork is on http://${config.host}:${port}`);
  if (config.dimsePort !== undefined) await listenForDevices(context, config.dimsePort, app.log);
};

const listenForDevices = async (context: Context, port: number, log: Log) => {
  const { dimseHost: host } = context.config;
  const gateway = await openGateway(context, { port, host, log });
  closing.push(gateway.close);
  say(`DIMSE is on ${host}:${gateway.port}`);
};

/** With both keys there, everything moves to the new one; the previous one may then be taken out of the settings. */
const reseal = ({ vault }: Context, url: string) =>
  withOwner(url, async (owner) => {
    const count = await resealSecrets(owner, vault);
    if (count > 0) say(`Secrets: ${count} remote configurations are sealed with the new SECRET_KEY`);
    const keys = await resealAiKeys(owner, vault);
    if (keys > 0) say(`Secrets: the AI keys of ${keys} tenants are sealed with the new SECRET_KEY`);
  });

/** What makes the demo's studies weighs 95 MB, which a server without a demo has better use for. */
const demonstrate = async (context: Context, url: string) => {
  const { loadDemo } = await import('./demo/load-demo.ts');
  await withOwner(url, (owner) => loadDemo(context, owner, say));
};

const startEmbedded = async (dataDir: string): Promise<string> => {
  const postgres = await startEmbeddedPostgres(join(dataDir, 'postgres'));
  closing.push(postgres.stop);
  return postgres.url('postgres');
};

const withOwner = async (url: string, work: (owner: ReturnType<typeof kyselyOn>) => Promise<void>) => {
  const pool = openOwnerPool(url);
  await work(kyselyOn(pool)).finally(() => pool.end());
};

let isStopping = false;

/** Takes no new calls, finishes those it has, then stops. A second signal does not wait. */
const stop = async () => {
  isStopping = true;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  for (const close of closing.toReversed()) await close();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

/** In words where whoever starts the server can do something about it, else with the place in the code. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return error.message;
  if ('code' in error && error.code === 'EADDRINUSE')
    return `Radwork cannot start: ${error.message}. Set PORT to another one.`;
  return error.stack ?? error.message;
};

const fail = async (error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  for (const close of closing.toReversed()) await close().catch(() => {});
  process.exit(1);
};

try {
  await start(readConfig());
} catch (error) {
  // What is under way when a signal comes finds its connections closed: that is no failure.
  if (!isStopping) await fail(error);
}
