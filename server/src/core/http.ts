import type { Access, Permission } from '@radwork/contract/access';
import type { Endpoint, Input, Reply, StreamEndpoint } from '@radwork/contract/endpoint';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { EventStream, eventStreamHeaders } from './event-stream.ts';
import { callerOf, challenge, header, type OpenLink, type SignInBasic } from './caller.ts';
import type { Config } from './config.ts';
import { isDeadlock } from './database.ts';
import { isId, newId } from './ids.ts';
import { fileMissing, forbidden, invalid, malformed, notFound, Problem, unauthenticated } from './problem.ts';
import { errorFacts, RequestLog } from './request-log.ts';
import { holds, type Scope, type Scopes, type Session } from './scope.ts';
import type { Device, Sessions } from './sessions.ts';

/** Who makes a public call: nobody we know, from somewhere. */
export type Visitor = Device & { subdomain: string | undefined };

/** Answers one call of the contract, inside a transaction of the caller's tenant. */
export type Serve = <E extends Endpoint>(
  endpoint: E,
  run: (scope: Scope, input: Input<E>) => Promise<Reply<E>>,
) => void;

/**
 * Answers one call of the contract that waits for other systems. The service opens scopes itself: no transaction stays
 * open, and no connection taken, while they take their time. It may answer with events in place of the reply, to whoever
 * asked for them.
 */
export type ServeWaiting = <E extends Endpoint>(
  endpoint: E,
  run: (session: Session, input: Input<E>) => Promise<Reply<E> | EventStream>,
) => void;

/** Answers one public call of the contract. There is no tenant and no transaction; the service asks for what it needs. */
export type ServePublic = <E extends Endpoint>(
  endpoint: E,
  run: (input: Input<E>, visitor: Visitor) => Promise<Reply<E>>,
) => void;

export type StreamCall = { request: FastifyRequest; reply: FastifyReply; session: Session };

/** Answers one byte-stream call. The handler opens scopes itself: no transaction stays open while bytes travel. */
export type ServeStream = (
  prefix: string,
  endpoint: StreamEndpoint,
  run: (call: StreamCall) => Promise<unknown>,
) => void;

export type Routes = { serve: Serve; serveWaiting: ServeWaiting; servePublic: ServePublic; serveStream: ServeStream };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** What becomes of a name and a password that come for a token; they may be asked for, too. */
    passwords?: 'asked for' | 'taken' | 'refused';
    /** Whether an address may stand for the session that it was made in. */
    takesLinks?: boolean;
  }
  interface FastifyRequest {
    session: Session | undefined;
  }
}

type Http = Routes & { app: FastifyInstance };

/**
 * Other software, which often knows nothing but HTTP Basic, calls under a prefix of its own (C9). Nowhere else is it
 * asked for a password: a browser would show a dialog for it, and remember what was typed. But metadata names long
 * values by their places under /api, and who has got the metadata by a password gets them, too.
 */
const passwordsAt = (prefix: string, path: string) => {
  if (prefix === '/dicom-web') return 'asked for';
  return path.includes('/bulkdata/') ? 'taken' : 'refused';
};

/** The HTTP server without its routes. A route that does not say who may call it cannot be registered. */
export const createHttp = (
  scopes: Scopes,
  sessions: Sessions,
  { logLevel, trustProxy }: Pick<Config, 'logLevel' | 'trustProxy'>,
  { signInBasic, openLink }: { signInBasic?: SignInBasic; openLink?: OpenLink } = {},
): Http => {
  const app = fastify({
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
    request.log[reply.statusCode >= 500 ? 'error' : 'debug'](facts, 'answered');
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status >= 500) request.log.error({ traceId: request.id, err: error }, 'failed');
    if (problem.retryAfterSeconds) void reply.header('retry-after', problem.retryAfterSeconds);
    if (problem.status === 401 && request.routeOptions.config.passwords === 'asked for') {
      void reply.header('www-authenticate', challenge);
    }
    return reply.status(problem.status).type('application/json; charset=utf-8').send(problem.body(request.id));
  });

  const authorize = (access: Access) => async (request: FastifyRequest) => {
    const { passwords = 'refused', takesLinks } = request.routeOptions.config;
    const otherWays = { ...(passwords !== 'refused' && { signInBasic }), ...(takesLinks && { openLink }) };
    request.session = await callerOf(request, { scopes, sessions, ...otherWays });
    if (access === 'public') return;
    if (!request.session) throw unauthenticated();
    if (access !== 'authenticated' && !holds(request.session, access satisfies Permission)) throw forbidden();
  };

  const sessionOf = ({ session }: FastifyRequest): Session => {
    if (!session) throw unauthenticated();
    return session;
  };

  const route = (endpoint: Endpoint, handler: (request: FastifyRequest) => Promise<unknown>) =>
    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      config: { access: endpoint.can },
      ...(endpoint.largestBody && { bodyLimit: endpoint.largestBody }),
      // Before the body is read: a stranger's upload costs us nothing.
      onRequest: endpoint.can === 'public' ? [] : authorize(endpoint.can),
      handler: async (request, reply) => {
        const result = await handler(request);
        if (result instanceof EventStream) return reply.headers(eventStreamHeaders).send(result.readable);
        void reply.status(endpoint.successStatus ?? 200);
        const data = endpoint.reply?.parse(result) ?? null;
        if (!endpoint.isPlainText || asksForJson(request)) return envelopeOf(endpoint, data);
        return reply.type('text/plain; charset=utf-8').send(data);
      },
    });

  return {
    app,
    serve: (endpoint, run) => {
      if (endpoint.can === 'public') throw new Error(`${endpoint.path} is public: serve it with servePublic`);
      route(endpoint, async (request) => {
        const input = readInput(endpoint, request);
        return scopes.inTenant(sessionOf(request), (scope) => run(scope, input));
      });
    },
    serveWaiting: (endpoint, run) => {
      if (endpoint.can === 'public') throw new Error(`${endpoint.path} is public: serve it with servePublic`);
      route(endpoint, async (request) => run(sessionOf(request), readInput(endpoint, request)));
    },
    servePublic: (endpoint, run) => {
      if (endpoint.can !== 'public') throw new Error(`${endpoint.path} is not public`);
      route(endpoint, async (request) => {
        const input = readInput(endpoint, request);
        return run(input, {
          address: request.ip,
          userAgent: request.headers['user-agent'] ?? '',
          subdomain: header(request, 'x-tenantid'),
        });
      });
    },
    serveStream: (prefix, { method, path, can }, run) => {
      app.route({
        method,
        url: `${prefix}${path}`,
        config: { access: can, passwords: passwordsAt(prefix, path), takesLinks: isPicture(method, path) },
        onRequest: authorize(can),
        handler: async (request, reply) => run({ request, reply, session: sessionOf(request) }),
      });
    },
  };
};

/** Calls whose answers other software reads without their envelope: chat, notifications, task history, atlas, guidelines (C11). */
const readUnwrapped = /^\/((chat|notifications|atlas|guidelines)(\/|$)|workflow\/.+\/history$)/;

/** An answer in its envelope; of one that is also read without it, the fields stand beside the envelope's own, which win. */
const envelopeOf = ({ path }: Endpoint, data: unknown) => {
  const isAlsoBare = readUnwrapped.test(path) && typeof data === 'object' && !Array.isArray(data);
  return { ...(isAlsoBare && data), code: 200, message: 'OK', data };
};

const asksForJson = (request: FastifyRequest): boolean =>
  header(request, 'accept')?.includes('application/json') ?? false;

/** What an <img> may show, which sends no token. */
const isPicture = (method: string, path: string): boolean => method === 'GET' && path.endsWith('/thumbnail');

const readInput = <E extends Endpoint>(endpoint: E, request: FastifyRequest): Input<E> => {
  const params = request.params as Record<string, string>;
  // An id that is no id belongs to nothing; asking the database would be an error of ours.
  if (Object.entries(params).some(([key, value]) => /^id$|Id$/.test(key) && !isId(value))) throw notFound('page');
  const input: unknown = {
    params,
    query: readQuery(endpoint.query, request.query),
    body: readBody(endpoint.body, request.body),
  };
  // What the schemas above let through is what the endpoint's own type says.
  return input as Input<E>;
};

const readQuery = (schema: z.ZodType | undefined, value: unknown) => {
  // A form that is sent with empty fields asks for nothing by them.
  const asked = Object.fromEntries(Object.entries(value as Record<string, unknown>).filter(([, text]) => text !== ''));
  const parsed = schema?.safeParse(asked);
  if (parsed?.success === false) throw malformed(parsed.error.issues[0]?.message ?? 'Invalid request data');
  return parsed?.data;
};

const readBody = (schema: z.ZodType | undefined, value: unknown) => {
  if (schema && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw malformed('Invalid request data');
  }
  const parsed = schema?.safeParse(value);
  if (parsed?.success === false) {
    throw invalid(Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message])));
  }
  return parsed?.data;
};

/**
 * Of connections that cannot be made or that broke, as the operating system and PostgreSQL say it; the last of them are
 * ended by us (`endingWhenOutdated` in database.ts).
 */
const databaseIsAway = new Set('ECONNREFUSED ECONNRESET EPIPE 57P01 57P02 57P03 08006 08001 53300 0A000'.split(' '));

/** What the database's client says of a connection that ended under a query, without any code. */
const connectionHasEnded = /^Connection terminated|connection error and is not queryable/;

/** Text with a NUL, a number or a day beyond what a column holds: no query can be about it (PostgreSQL, class 22). */
const holdsNoSuchValue = new Set(['22021', '22003', '22008']);

/** What errors of Node, Fastify and PostgreSQL say of themselves. */
type Failed = { statusCode?: number; code?: string; syscall?: string; message?: string };

const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  const { statusCode, code, syscall, message } = (error ?? {}) as Failed;
  if (statusCode === 413) return new Problem(413, 'request.too_large', 'The request is larger than the server accepts');
  if (statusCode && statusCode < 500)
    return new Problem(statusCode, 'request.malformed', message ?? 'Invalid request data');
  // A socket that is not there is the database's; any other file is one that the archive should have (blob-store.ts).
  if (code === 'ENOENT' && syscall !== 'connect') return fileMissing();
  if (code === 'ENOENT' || databaseIsAway.has(code ?? '') || connectionHasEnded.test(message ?? '')) {
    return new Problem(503, 'database.away', 'The database cannot be reached. Try again in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  if (isDeadlock(error)) {
    return new Problem(503, 'database.busy', 'Somebody else changes the same at this moment. Try again.', {
      retryAfterSeconds: 1,
    });
  }
  if (code && holdsNoSuchValue.has(code)) return malformed('The request holds a value that cannot be stored');
  return new Problem(500, 'internal', 'Server error occurred');
};
