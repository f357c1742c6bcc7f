import type { Access } from '@radwork/contract/core/access';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { challenge } from './caller.ts';
import { createFloodLog, TooManyCalls } from './call-limits.ts';
import type { Config } from '#core/config/config.ts';
import { refuseAddress, refuseConnection } from './framework-errors.ts';
import { newId } from '#core/values/ids.ts';
import type { Metrics } from '#core/monitoring/metrics.ts';
import { withoutPort } from './network-of-address.ts';
import { SessionEnded } from './problem.ts';
import { problemOf } from './problem-of-error.ts';
import { errorFacts, RequestLog } from '#core/monitoring/request-log.ts';
import type { Session } from '#core/access/scope.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Whether the route asks for Basic authentication, accepts it, or refuses it. */
    passwords?: 'asked for' | 'taken' | 'refused';
    /** True when users who must first enroll a second factor may call the route. */
    isForEnrolling?: boolean;
    /** True when a signed URL may authenticate the call. */
    takesLinks?: boolean;
    /** True when the call counts as an image request (call-limits.ts). */
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
 * Creates the server without routes: time limits, request log and error replies. A route that does not declare who may
 * call it fails to register.
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
    // Trusts one proxy, which adds the last address of the chain. The caller may forge the other addresses.
    trustProxy: trustProxy && ((_address, hop) => hop < 1),
    genReqId: () => newId(),
    bodyLimit: 1 << 20,
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 30_000,
    // The limit is high, because some clients list all frame numbers of a cine in one URL.
    routerOptions: { maxParamLength: 8192 },
  });
  app.decorateRequest('session', undefined);
  if (trustProxy) app.addHook('onRequest', dropPorts);
  // Handlers read uploads as they arrive. The uploads are not held in memory.
  app.addContentTypeParser(/^(multipart\/|application\/dicom)/, (_request, body, done) => done(null, body));

  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.access) throw new Error(`${String(method)} ${url} does not declare who may call it`);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, id, routeOptions } = request;
    // Logs the template of the route, because a URL contains ids, names and tokens.
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
  const logFlood = createFloodLog();
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) request.log.error({ traceId: request.id, err: error }, 'failed');
    if (request.session && (problem.status === 403 || problem.status === 404)) {
      watch?.refused(request.session, `${request.method} ${request.routeOptions.url ?? ''}`, problem.status);
    }
    if (problem.status === 401 || problem.status === 403) metrics?.refused(problem.error);
    if (problem instanceof TooManyCalls) {
      metrics?.tooManyCalls(problem.flood);
      logFlood(problem.flood, request.log);
    }
    if (problem instanceof SessionEnded) void reply.headers(clearCache);
    if (problem.retryAfterSeconds) void reply.header('retry-after', problem.retryAfterSeconds);
    if (problem.status === 401 && request.routeOptions.config.passwords === 'asked for') {
      void reply.header('www-authenticate', challenge);
    }
    return reply.status(problem.status).type('application/json; charset=utf-8').send(problem.body(request.id));
  });
  return app;
};

/** Removes the ports that a proxy adds to addresses, before the client address is used. */
const dropPorts = async ({ raw: { headers } }: FastifyRequest) => {
  const forwardedFor = headers['x-forwarded-for'];
  if (typeof forwardedFor !== 'string') return;
  headers['x-forwarded-for'] = forwardedFor
    .split(',')
    .map((address) => withoutPort(address.trim()))
    .join(', ');
};

/**
 * Clears the image cache of the browser when a session ends (ASVS 5.0 14.3.1). Local storage remains, because it holds
 * text that is not saved on the server yet.
 */
export const clearCache = { 'clear-site-data': '"cache"' };
