import type { Access } from '@radwork/contract/access';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { challenge } from './caller.ts';
import { createFloodLog, TooManyCalls } from './call-limits.ts';
import type { Config } from './config.ts';
import { refuseAddress, refuseConnection } from './framework-errors.ts';
import { newId } from './ids.ts';
import type { Metrics } from './metrics/metrics.ts';
import { withoutPort } from './network-of.ts';
import { SessionOver } from './problem.ts';
import { problemOf } from './problem-of.ts';
import { errorFacts, RequestLog } from './request-log.ts';
import type { Session } from './scope.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** What becomes of a name and a password that come for a token; they may be asked for, too. */
    passwords?: 'asked for' | 'taken' | 'refused';
    /** Whether whoever has to enrol a second factor first may call it. */
    isForEnrolling?: boolean;
    /** Whether an address may stand for the session that it was made in. */
    takesLinks?: boolean;
    /** Whether it is counted among the images (call-limits.ts). */
    carriesImages?: boolean;
  }
  interface FastifyRequest {
    session: Session | undefined;
  }
}

type Watchers = {
  watch: { refused: (session: Session, route: string, status: 403 | 404) => void } | undefined;
  metrics: Pick<Metrics, 'answered' | 'refused' | 'tooManyCalls'> | undefined;
};

/**
 * The server without routes: how long it waits, what it writes down of each call, and how it answers what has failed. A
 * route that does not say who may call it cannot be registered.
 */
export const openHttpServer = (
  config: Pick<Config, 'logLevel' | 'publicUrl' | 'trustProxy'>,
  { watch, metrics }: Watchers,
): FastifyInstance => {
  const { logLevel, trustProxy } = config;
  const app = fastify({
    frameworkErrors: refuseAddress(config),
    clientErrorHandler: refuseConnection(config),
    logController: new RequestLog(),
    logger: { level: logLevel, base: null, serializers: { err: errorFacts } },
    // One proxy: of a chain of addresses only the last was written by it, the others by whoever calls.
    trustProxy: trustProxy && ((_address, hop) => hop < 1),
    genReqId: () => newId(),
    bodyLimit: 1 << 20,
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 30_000,
    // Some clients ask for all frames of a cine by their numbers.
    routerOptions: { maxParamLength: 8192 },
  });
  app.decorateRequest('session', undefined);
  if (trustProxy) app.addHook('onRequest', dropPorts);
  // Uploads are read by their handlers as they arrive, and never held in memory.
  app.addContentTypeParser(/^(multipart\/|application\/dicom)/, (_request, body, done) => done(null, body));

  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access) throw new Error(`${String(method)} ${url} does not declare who may call it`);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, id, routeOptions } = request;
    // The route's template and not the address, in which ids, names and tokens stand.
    const facts = {
      traceId: id,
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    metrics?.answered({ method, route: routeOptions.url, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    request.log[reply.statusCode >= 500 ? 'error' : 'debug'](facts, 'answered');
  });
  const tellFlood = createFloodLog();
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) request.log.error({ traceId: request.id, err: error }, 'failed');
    if (request.session && (problem.status === 403 || problem.status === 404)) {
      watch?.refused(request.session, `${request.method} ${request.routeOptions.url ?? ''}`, problem.status);
    }
    if (problem.status === 401 || problem.status === 403) metrics?.refused(problem.error);
    if (problem instanceof TooManyCalls) {
      metrics?.tooManyCalls(problem.flood);
      tellFlood(problem.flood, request.log);
    }
    if (problem instanceof SessionOver) void reply.headers(keepNothing);
    if (problem.retryAfterSeconds) void reply.header('retry-after', problem.retryAfterSeconds);
    if (problem.status === 401 && request.routeOptions.config.passwords === 'asked for') {
      void reply.header('www-authenticate', challenge);
    }
    return reply.status(problem.status).type('application/json; charset=utf-8').send(problem.body(request.id));
  });
  return app;
};

/** Of the addresses that the proxy has written, before anybody asks where a call comes from. */
const dropPorts = async ({ raw: { headers } }: FastifyRequest) => {
  const written = headers['x-forwarded-for'];
  if (typeof written !== 'string') return;
  headers['x-forwarded-for'] = written
    .split(',')
    .map((address) => withoutPort(address.trim()))
    .join(', ');
};

/**
 * Images that a browser has kept go with the session that they were fetched in (ASVS 5.0 14.3.1). Not its storage: what
 * somebody has typed and could not save yet lies there until it is saved.
 */
export const keepNothing = { 'clear-site-data': '"cache"' };
