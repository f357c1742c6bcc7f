import { type Access, isLetIn } from '@radwork/contract/access';
import type { Endpoint, Input, Reply, StreamEndpoint } from '@radwork/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServedCall } from './api-document.ts';
import { EventStream, eventStreamHeaders } from './event-stream.ts';
import { callerOf, header, type OpenLink, type SignInBasic, tokenOf } from './caller.ts';
import type { CallLimits } from './call-limits.ts';
import { readInput, readUpload, type Upload, watchedInput, type WatchedInput } from './call-input.ts';
import type { Config } from './config.ts';
import { keepNothing, openHttpServer } from './http-server.ts';
import type { Lasting } from './live-sessions.ts';
import type { Metrics } from './metrics/metrics.ts';
import { forbidden, SessionOver, unauthenticated } from './problem.ts';
import { holds, type Scope, type Scopes, type Session } from './scope.ts';
import { type Device, hashOfToken, type Sessions } from './sessions.ts';

/** Who makes a public call: nobody we know, from somewhere. `isPoll`: nobody has asked for it, which keeps no session awake. */
export type Visitor = Device & { subdomain: string | undefined; cookies: Cookies; isPoll: boolean };

/** The value of a cookie that the browser sent; undefined when there is none. */
export type Cookies = (name: string) => string | undefined;

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

/**
 * Answers one call of the contract that may bring files: a form with the body as JSON in a part of its own, or that body
 * alone. The service opens scopes itself: no transaction stays open while bytes travel.
 */
export type ServeUpload = <E extends Endpoint>(
  endpoint: E,
  run: (session: Session, upload: Upload<E>) => Promise<Reply<E>>,
) => void;

export type StreamCall = { request: FastifyRequest; reply: FastifyReply; session: Session };

/** Answers one byte-stream call. The handler opens scopes itself: no transaction stays open while bytes travel. */
export type ServeStream = (
  prefix: string,
  endpoint: StreamEndpoint,
  run: (call: StreamCall) => Promise<unknown>,
) => void;

/** Answers a public call that is no JSON, such as one that sends the browser on to somewhere else. */
export type ServePublicStream = (
  prefix: string,
  endpoint: StreamEndpoint,
  run: (call: Omit<StreamCall, 'session'> & { visitor: Visitor }) => Promise<unknown>,
) => void;

export type Routes = {
  serve: Serve;
  serveWaiting: ServeWaiting;
  serveUpload: ServeUpload;
  servePublic: ServePublic;
  serveStream: ServeStream;
  servePublicStream: ServePublicStream;
};

/** Hears of what was answered and what was refused, to note it for the audit; nobody waits for it. */
export type Watch = {
  answered: (endpoint: Endpoint | StreamEndpoint, session: Session, input: WatchedInput, reply: unknown) => void;
  refused: (session: Session, route: string, status: 403 | 404) => void;
};

type Doings = {
  signInBasic?: SignInBasic;
  openLink?: OpenLink;
  watch?: Watch;
  metrics?: Pick<Metrics, 'answered' | 'refused' | 'tooManyCalls'>;
  limits?: CallLimits;
  /** Has bytes that travel stop when the session ends (live.ts). */
  whileSignedIn?: (transfer: Lasting) => () => void;
};

/** `served` grows with every call that a route is registered for. */
type Http = Routes & { app: FastifyInstance; served: readonly ServedCall[] };

/**
 * Other software, which often knows nothing but HTTP Basic, calls under a prefix of its own (C9). Nowhere else is it
 * asked for a password: a browser would show a dialog for it, and remember what was typed. But metadata names long
 * values by their places under /api, and who has got the metadata by a password gets them, too.
 */
const passwordsAt = (prefix: string, path: string) => {
  if (prefix === '/dicom-web') return 'asked for';
  return path.includes('/bulkdata/') ? 'taken' : 'refused';
};

/** The HTTP server, and what its routes are registered by: each kind of them with the way in that is its own. */
export const createHttp = (
  scopes: Scopes,
  sessions: Sessions,
  config: Pick<Config, 'logLevel' | 'publicUrl' | 'trustProxy'>,
  { signInBasic, openLink, watch, metrics, limits, whileSignedIn }: Doings = {},
): Http => {
  const app = openHttpServer(config, { watch, metrics });
  const served: ServedCall[] = [];

  const authorize = (access: Access) => async (request: FastifyRequest) => {
    const { passwords = 'refused', takesLinks, isForEnrolling } = request.routeOptions.config;
    const otherWays = { ...(passwords !== 'refused' && { signInBasic }), ...(takesLinks && { openLink }) };
    request.session = await callerOf(request, { scopes, sessions, limits, isForEnrolling, ...otherWays });
    if (access === 'public') return;
    const token = tokenOf(request);
    if (!request.session) throw token ? new SessionOver(await sessions.whyEnded(token)) : unauthenticated();
    const { session } = request;
    if (!isLetIn(access, session.userType, (permission) => holds(session, permission))) throw forbidden();
  };

  /** Whoever makes a public call is counted by their address. */
  const countStranger = async (request: FastifyRequest) => limits?.countStranger(request.ip);

  const sessionOf = ({ session }: FastifyRequest): Session => {
    if (!session) throw unauthenticated();
    return session;
  };

  /** Breaks what is being sent or taken off when the session ends that it was begun in, or the password opens it no more. */
  const breakOffWithSession = (request: FastifyRequest, reply: FastifyReply, isOver = () => false) => {
    // Without either it is an address that says whose it is, of a picture.
    if (request.headers.authorization === undefined || !whileSignedIn) return;
    const token = tokenOf(request);
    const end = () => isOver() || breakOff(reply);
    const lasting = { session: sessionOf(request), ...(token && { tokenHash: hashOfToken(token) }), end };
    reply.raw.once('close', whileSignedIn(lasting));
  };

  const route = (endpoint: Endpoint, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) => {
    const url = `/api${endpoint.path}`;
    served.push({ ...endpoint, url, isStream: false });
    app.route({
      method: endpoint.method,
      url,
      exposeHeadRoute: endpoint.hasEffect !== true,
      config: { access: endpoint.can, isForEnrolling: endpoint.isForEnrolling ?? false },
      ...(endpoint.largestBody && { bodyLimit: endpoint.largestBody }),
      // Before the body is read: a stranger's upload costs us nothing.
      onRequest: endpoint.can === 'public' ? countStranger : authorize(endpoint.can),
      handler: async (request, reply) => {
        const result = await handler(request, reply);
        if (result instanceof EventStream) return reply.headers(eventStreamHeaders).send(result.readable);
        if (endpoint.endsSession) void reply.headers(keepNothing);
        void reply.status(endpoint.successStatus ?? 200);
        const data = endpoint.reply?.parse(result) ?? null;
        if (!endpoint.isPlainText || asksForJson(request)) return envelopeOf(endpoint, data);
        return reply.type('text/plain; charset=utf-8').send(data);
      },
    });
  };

  return {
    app,
    served,
    serve: (endpoint, run) => {
      if (endpoint.can === 'public') throw new Error(`${endpoint.path} is public: serve it with servePublic`);
      route(endpoint, async (request) => {
        const input = readInput(endpoint, request);
        const session = sessionOf(request);
        const result = await scopes.inTenant(session, (scope) => run(scope, input));
        watch?.answered(endpoint, session, watchedInput(request), result);
        return result;
      });
    },
    serveWaiting: (endpoint, run) => {
      if (endpoint.can === 'public') throw new Error(`${endpoint.path} is public: serve it with servePublic`);
      route(endpoint, async (request) => {
        const session = sessionOf(request);
        const result = await run(session, readInput(endpoint, request));
        watch?.answered(endpoint, session, watchedInput(request), result);
        return result;
      });
    },
    serveUpload: (endpoint, run) => {
      if (endpoint.can === 'public') throw new Error(`${endpoint.path} is public: serve it with servePublic`);
      route(endpoint, async (request, reply) => {
        // What has arrived as a whole is kept, and answered.
        breakOffWithSession(request, reply, () => request.raw.complete);
        return run(sessionOf(request), readUpload(endpoint, request));
      });
    },
    servePublic: (endpoint, run) => {
      if (endpoint.can !== 'public') throw new Error(`${endpoint.path} is not public`);
      route(endpoint, async (request) => {
        const input = readInput(endpoint, request);
        return run(input, visitorOf(request));
      });
    },
    servePublicStream: (prefix, { method, path, can, hasEffect }, run) => {
      if (can !== 'public') throw new Error(`${path} is not public`);
      const url = `${prefix}${path}`;
      served.push({ method, url, can, isStream: true });
      app.route({
        method,
        url,
        exposeHeadRoute: hasEffect !== true,
        config: { access: can },
        // Probes and the like, which stand outside of it, are not calls of the API.
        onRequest: url.startsWith('/api/') ? countStranger : [],
        handler: async (request, reply) => run({ request, reply, visitor: visitorOf(request) }),
      });
    },
    serveStream: (prefix, endpoint, run) => {
      const { method, path, can, carriesImages = false } = endpoint;
      const url = `${prefix}${path}`;
      served.push({ method, url, can, isStream: true });
      app.route({
        method,
        url,
        config: {
          access: can,
          passwords: passwordsAt(prefix, path),
          takesLinks: isPicture(method, path),
          carriesImages,
        },
        onRequest: authorize(can),
        handler: async (request, reply) => {
          const session = sessionOf(request);
          breakOffWithSession(request, reply);
          const result = await run({ request, reply, session });
          if (reply.statusCode < 400) watch?.answered(endpoint, session, watchedInput(request), result);
          return result;
        },
      });
    },
  };
};

/** What is broken off is not taken for whole by whoever gets or sends it. Events are, each: they end by themselves. */
const breakOff = (reply: FastifyReply) => {
  if (reply.getHeader('content-type') !== eventStreamHeaders['content-type']) reply.raw.destroy();
};

const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  subdomain: header(request, 'x-tenantid'),
  isPoll: header(request, 'x-poll') === '1',
  cookies: (name) => {
    const pairs = (header(request, 'cookie') ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  },
});

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
