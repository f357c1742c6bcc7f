import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { UserType } from '@radwork/contract/core/access';
import type { Endpoint, Reply } from '@radwork/contract/core/endpoint';
import type { Failure } from '@radwork/contract/core/failure';
import { live as liveEvents } from '@radwork/contract/identity/live';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, inject } from 'vitest';
import { createAuditReads } from '#core/audit/audit-reads.ts';
import { openBlobStore } from '#core/blobs/open-blob-store.ts';
import { createShutdown } from '#core/resources/shutdown.ts';
import { readConfig } from '#core/config/config.ts';
import type { Context } from '#core/context.ts';
import { kyselyOn, openOwnerPool, openServingPool } from '#core/database/database.ts';
import { createLive } from '#core/live/live.ts';
import { measuredStore } from '#core/monitoring/measured-store.ts';
import { createMetrics } from '#core/monitoring/metrics.ts';
import { knownMigrations } from '#core/database/migrate.ts';
import { openOutgoing } from '#core/outgoing/open-outgoing.ts';
import { openProbes } from '#core/monitoring/probes.ts';
import { orNotFound } from '#core/http/problem.ts';
import { problemOf } from '#core/http/problem-of-error.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { openScopes } from '../src/extensions.ts';
import { openSecretKey } from '#core/installation/secret-key.ts';
import { createSessions } from '#core/access/sessions.ts';
import { createVault } from '#core/installation/vault.ts';
import { createTenant, type NewTenant } from '#identity/tenants/service.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { createApp } from '../src/app.ts';
import { noCallLimits } from './no-call-limits.ts';
import { createDatabase, runSql, withDatabase } from './setup.ts';

export type CallData = {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** A reply: `data` on success, the other fields on failure. */
export type Answer<E> = Partial<Failure> & { status: number; code: number; message: string; data: Reply<E> };

export type Tenant = { id: number; subdomain: string };
export type World = Awaited<ReturnType<typeof createWorld>>;
export type Person = Awaited<ReturnType<World['signIn']>>;

/** A cheap hash of an unknown password. */
const hashOfNothing = '$argon2id$v=19$m=64,t=1,p=1$5kAeKzxSbF49Q51Gn0Xliw$ijIRzHul2VaDUmKLpGfC88/obwFMX72upE34JzP1f0A';

/** Creates a fresh copy of the migrated database, a data folder and an app. One for each test file. */
export const createWorld = async (settings: Record<string, string> = {}) => {
  const { url: server, template } = inject('postgres');
  const database = `radwork_test_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(server, database, `template ${template}`);
  const url = withDatabase(server, database);
  const dataDir = await mkdtemp(join(tmpdir(), 'radwork-world-'));
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...noCallLimits, ...settings });

  const serving = openServingPool(url, 5);
  const owning = openOwnerPool(url);
  const owner = kyselyOn(owning);
  const scopes = openScopes(kyselyOn(serving));
  const secretKey = await openSecretKey(undefined, dataDir);
  const outgoing = openOutgoing(config);
  const sessions = createSessions(scopes, config);
  const metrics = createMetrics();
  const blobs = measuredStore(await openBlobStore(config), metrics);
  const context: Context = {
    config,
    scopes,
    sessions,
    auditReads: createAuditReads({
      scopes,
      onError: (error) => {
        throw error;
      },
    }),
    live: createLive(scopes, sessions),
    secretKey,
    blobs,
    outgoing,
    vault: createVault(secretKey),
    probes: openProbes(url, blobs),
    migrations: await knownMigrations(),
    metrics,
    closing: createShutdown(),
  };
  const app = await createApp(context, join(dataDir, 'no-web'));
  printUnexpectedErrors(app);

  afterAll(async () => {
    await app.close();
    await context.auditReads.close();
    await context.probes.close();
    await context.blobs.close();
    await outgoing.close();
    await serving.end();
    await owning.end();
    await runSql(server, `drop database ${database} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  });

  const request = async (options: InjectOptions) => {
    const { url } = options;
    if (typeof url !== 'string' || !url.startsWith(liveEvents.path)) return app.inject(options);
    // An injected request resolves when its reply ends. An event stream never ends, so it would never resolve without
    // this.
    const ending = setInterval(() => context.live.endAll(), 5);
    return app.inject(options).finally(() => clearInterval(ending));
  };

  const send = async <E extends Endpoint>(endpoint: E, sent: CallData = {}): Promise<Answer<E>> => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, key: string) => sent.params?.[key] ?? randomUUID());
    const query = Object.fromEntries(Object.entries(sent.query ?? {}).map(([key, value]) => [key, String(value)]));
    const response = await request({
      method: endpoint.method,
      url: `/api${path}`,
      query,
      headers: sent.headers ?? {},
      ...(sent.body !== undefined && { payload: sent.body as object }),
    });
    return { status: response.statusCode, ...response.json() };
  };

  const newTenant = async (tenant: Partial<NewTenant> = {}): Promise<Tenant> => {
    const subdomain = tenant.subdomain ?? `t${randomUUID().slice(0, 8)}`;
    const id = await createTenant(owner, {
      name: `Clinic ${subdomain}`,
      subdomain,
      isReviewRequired: false,
      isLinkCodeRequired: false,
      ...tenant,
    });
    return { id, subdomain };
  };

  /** Runs work in a tenant as the server, to prepare a test. */
  const inTenant = <T>(tenant: Tenant, work: (scope: Scope) => Promise<T>) =>
    scopes.inTenant(systemSession(tenant.id), work);

  /** Signs in a new user, by default in a new tenant. */
  const signIn = async (userType: UserType = 'RADIOLOGIST', tenant?: Tenant) => {
    const home = tenant ?? (await newTenant());
    const username = `${userType.toLowerCase()}.${randomUUID().slice(0, 8)}`;
    const person = { username, name: `Dr ${username}`, email: `${username}@example.org`, userType };
    const token = await inTenant(home, async (scope) => {
      const userId = await createUser(scope, { ...person, passwordHash: hashOfNothing });
      return context.sessions.begin(scope.db, userId, { address: '127.0.0.1', userAgent: 'test' });
    });
    const session = orNotFound(await context.sessions.resolve(token, '127.0.0.1', true), 'session');
    const authorization = `Bearer ${token}`;
    return {
      tenant: home,
      username,
      token,
      session,
      userId: session.userId,
      send: <E extends Endpoint>(endpoint: E, sent: CallData = {}) =>
        send(endpoint, { ...sent, headers: { authorization, ...sent.headers } }),
      /** Sends an HTTP request with the token of this user. */
      request: (options: InjectOptions) => request({ ...options, headers: { authorization, ...options.headers } }),
      /** Runs work as this user, below HTTP. */
      inScope: <T>(work: (scope: Scope) => Promise<T>) => scopes.inTenant(session, work),
    };
  };

  return { app, context, owner, url, dataDir, send, request, newTenant, inTenant, signIn, sql };
};

/**
 * Prints each unexpected error of a call, because the reply 500 says only that the server failed. A test may expect a
 * 500 that is a Problem, such as a missing file: its reply has the reason, so it is not printed.
 */
const printUnexpectedErrors = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (request) => {
    const { log, method, routeOptions } = request;
    log.error = ({ err }: { err?: unknown }) => {
      if (err === undefined || problemOf(err).error !== 'internal') return;
      process.stderr.write(`${method} ${routeOptions.url} answered 500: ${inspect(err)}\n`);
    };
  });
};
