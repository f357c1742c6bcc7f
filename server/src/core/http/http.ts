import { type Access, hasAccess } from '@radwork/contract/core/access';
import type { Endpoint, Input, Reply, StreamEndpoint } from '@radwork/contract/core/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServedCall } from './api-document.ts';
import { EventStream, eventStreamHeaders } from './event-stream.ts';
import { callerOf, cookieOf, header, type OpenLink, type SignInBasic, tokenOf } from './caller.ts';
import type { CallLimits } from './call-limits.ts';
import { readInput, readUpload, type Upload, watchedInput, type WatchedInput } from './call-input.ts';
import type { Config } from '#core/config/config.ts';
import { clearCache, openHttpServer } from './http-server.ts';
import type { SessionBound } from '#core/live/end-with-session.ts';
import type { Metrics } from '#core/monitoring/metrics.ts';
import { forbidden, SessionEnded, unauthenticated } from './problem.ts';
import { noteOrganizationLanguage } from './request-language.ts';
import { hasPermission, type Scope, type Scopes, type Session } from '#core/access/scope.ts';
import { type Device, hashOfToken, type Sessions } from '#core/access/sessions.ts';

/** The caller of a public endpoint. `isPoll`: a page made the call automatically, so it does not extend a session. */
export type Visitor = Device & { subdomain: string | undefined; cookies: Cookies; isPoll: boolean };

/** Returns the value of a cookie; undefined when it is absent. */
export type Cookies = (name: string) => string | undefined;

/** Serves an endpoint inside a transaction of the caller's tenant. */
export type Serve = <E extends Endpoint>(
  endpoint: E,
  run: (scope: Scope, input: Input<E>) => Promise<Reply<E>>,
) => void;

/**
 * Serves an endpoint that waits for other systems. The service opens scopes when needed, so no transaction stays open
 * during the wait. The reply is an event stream if the caller asked for one.
 */
export type ServeWaiting = <E extends Endpoint>(
  endpoint: E,
  run: (session: Session, input: Input<E>) => Promise<Reply<E> | EventStream>,
) => void;

/** Serves a public endpoint, without tenant and transaction. */
export type ServePublic = <E extends Endpoint>(
  endpoint: E,
  run: (input: Input<E>, visitor: Visitor) => Promise<Reply<E>>,
) => void;

/**
 * Serves an endpoint that accepts files: a form with the JSON body in one part, or only the JSON body. The service
 * opens scopes when needed, so no transaction stays open during the transfer.
 */
export type ServeUpload = <E extends Endpoint>(
  endpoint: E,
  run: (session: Session, upload: Upload<E>) => Promise<Reply<E>>,
) => void;

export type StreamCall = { request: FastifyRequest; reply: FastifyReply; session: Session };

/** Serves a byte stream. The handler opens scopes when needed, so no transaction stays open during the transfer. */
export type ServeStream = (
  prefix: string,
  endpoint: StreamEndpoint,
  run: (call: StreamCall) => Promise<unknown>,
) => void;

/** Serves a public call whose reply is not JSON, such as a redirect. */
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

/** Receives replies and refused calls for the audit log, off the request path. */
export type Watch = {
  answered: (endpoint: Endpoint | StreamEndpoint, session: Session, input: WatchedInput, reply: unknown) => void;
  refused: (session: Session, route: string, status: 403 | 404) => void;
};

type RouteServices = {
  signInBasic?: SignInBasic;
  openLink?: OpenLink;
  watch?: Watch;
  metrics?: Pick<Metrics, 'answered' | 'refused' | 'tooManyCalls'>;
  limits?: CallLimits;
  /** Ends a transfer when its session ends (live.ts). */
  whileSignedIn?: (transfer: SessionBound) => () => void;
};

/** `served` lists every registered endpoint. */
type Http = Routes & { app: FastifyInstance; served: readonly ServedCall[] };

/**
 * Returns how a URL treats Basic authentication. Many DICOMweb clients support only HTTP Basic, so the prefix of
 * DICOMweb asks for Basic authentication. Other URLs do not ask, because a browser would show a dialog and remember the
 * password. Bulk data under /api accepts Basic authentication, because metadata refers to these URLs.
 */
const passwordsAt = (prefix: string, path: string) => {
  if (prefix === '/dicom-web') return 'asked for';
  return path.includes('/bulkdata/') ? 'taken' : 'refused';
};

/** Creates the HTTP server, and the functions that register each kind of route with an access check. */
export const createHttp = (
  scopes: Scopes,
  sessions: Sessions,
  config: Pick<Config, 'logLevel' | 'publicUrl' | 'trustProxy'>,
  { signInBasic, openLink, watch, metrics, limits, whileSignedIn }: RouteServices = {},
): Http => {
  const app = openHttpServer(config, { watch, metrics });
  const served: ServedCall[] = [];

  const authorize = (access: Access) => async (request: FastifyRequest) => {
    const { passwords = 'refused', takesLinks, isForEnrolling } = request.routeOptions.config;
    const otherWays = { ...(passwords !== 'refused' && { signInBasic }), ...(takesLinks && { openLink }) };
    request.session = await callerOf(request, { scopes, sessions, limits, isForEnrolling, ...otherWays });
    if (access === 'public') return;
    const token = tokenOf(request);
    if (!request.session) throw token ? new SessionEnded(await sessions.whyEnded(token)) : unauthenticated();
    const { session } = request;
    if (session.locale) noteOrganizationLanguage(session.locale);
    if (!hasAccess(access, session.userType, (permission) => hasPermission(session, permission))) throw forbidden();
  };

  /** Counts public calls by their address. */
  const countStranger = async (request: FastifyRequest) => limits?.countAddress(request.ip);

  const sessionOf = ({ session }: FastifyRequest): Session => {
    if (!session) throw unauthenticated();
    return session;
  };

  /** Ends a transfer when its session ends or the password of the call becomes invalid. */
  const breakOffWithSession = (request: FastifyRequest, reply: FastifyReply, isOver = () => false) => {
    // Without an authorization header, a signed image URL may authenticate the call. Such a transfer continues when the
    // session ends.
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
      // Runs before the body is read, so that an unauthenticated upload takes no resources.
      onRequest: endpoint.can === 'public' ? countStranger : authorize(endpoint.can),
      handler: async (request, reply) => {
        const result = await handler(request, reply);
        if (result instanceof EventStream) return reply.headers(eventStreamHeaders).send(result.readable);
        if (endpoint.endsSession) void reply.headers(clearCache);
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
        // The upload has arrived completely, so it is stored and answered even if the session ends.
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
        // Health probes and similar URLs are outside the API, so the limits of API calls do not apply.
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

/**
 * Destroys the connection, so that the client does not take a partial transfer for complete. Event streams may simply
 * end.
 */
const breakOff = (reply: FastifyReply) => {
  if (reply.getHeader('content-type') !== eventStreamHeaders['content-type']) reply.raw.destroy();
};

const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  subdomain: header(request, 'x-tenantid'),
  isPoll: header(request, 'x-poll') === '1',
  cookies: (name) => cookieOf(request, name),
});

/**
 * Endpoints that other software reads without the envelope: chat, notifications, task history, atlas and guidelines.
 */
const readUnwrapped = /^\/((chat|notifications|atlas|guidelines)(\/|$)|workflow\/.+\/history$)/;

/**
 * Wraps a reply in the envelope. Some endpoints are also read without the envelope. For these, the fields of the reply
 * are repeated next to the fields of the envelope. A field of the envelope takes precedence.
 */
const envelopeOf = ({ path }: Endpoint, data: unknown) => {
  const isAlsoBare = readUnwrapped.test(path) && typeof data === 'object' && !Array.isArray(data);
  return { ...(isAlsoBare && data), code: 200, message: 'OK', data };
};

const asksForJson = (request: FastifyRequest): boolean =>
  header(request, 'accept')?.includes('application/json') ?? false;

/** True for images shown in an <img>, which cannot send a token. */
const isPicture = (method: string, path: string): boolean =>
  method === 'GET' && (path.endsWith('/thumbnail') || path.endsWith('/instances/:instanceUid/rendered'));
