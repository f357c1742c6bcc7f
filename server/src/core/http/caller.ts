import { prefetchHeader } from '@radwork/contract/core/endpoint';
import { t } from '@radwork/contract/core/translate';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { CallLimits } from './call-limits.ts';
import { forbidden, malformed, Problem, secondFactorNeeded } from './problem.ts';
import { hasPermission, mayVisit, type Scopes, type Session } from '#core/access/scope.ts';
import type { Sessions } from '#core/access/sessions.ts';

/**
 * Username and password of a call, and the address from which the call came. `subdomain` is the tenant that the call
 * names.
 */
export type BasicCredentials = { username: string; password: string; subdomain: string | undefined; address: string };

/** Returns the session for a username and password. Throws 401 when they are wrong, and 429 after too many attempts. */
export type SignInBasic = (credentials: BasicCredentials) => Promise<Session>;

/** Returns the session of a signed URL. Undefined for any other URL. */
export type OpenLink = (url: string, address: string) => Promise<Session | undefined>;

/** Services that identify the caller. Without `signInBasic` and `openLink`, a call needs a token. */
export type Authenticators = {
  scopes: Scopes;
  sessions: Sessions;
  signInBasic?: SignInBasic | undefined;
  openLink?: OpenLink | undefined;
  /** True when users who must first enroll a second factor may call the endpoint. */
  isForEnrolling?: boolean | undefined;
  limits?: CallLimits | undefined;
};

/** Authentication schemes offered to other software (RFC 7617, RFC 6750). */
export const challenge = 'Basic realm="Radwork", charset="UTF-8", Bearer realm="Radwork"';

/**
 * Returns the session of a call, if there is one. Only a super administrator may name another tenant in the header. The
 * audit log records such a visit once an hour, and each act in the other tenant under the visitor's name. Throws 429
 * for too many calls.
 */
export const callerOf = async (request: FastifyRequest, doors: Authenticators): Promise<Session | undefined> => {
  const session = await countedIn(request, doors);
  if (session?.secondFactor === 'NEEDED' && !doors.isForEnrolling) throw secondFactorNeeded();
  const subdomain = header(request, 'x-tenantid');
  if (!session || !subdomain || subdomain === session.subdomain) return session;
  // The session is set before the check, so that the audit entry of a refusal names the session.
  request.session = session;
  if (!mayVisit(session)) throw forbidden(t`This session belongs to another organization`);
  return visit(session, subdomain, doors.scopes);
};

const countedIn = async (request: FastifyRequest, doors: Authenticators): Promise<Session | undefined> => {
  const { limits, sessions } = doors;
  if (!limits) return signedIn(request, doors);
  const token = tokenOf(request);
  const find = () => signedIn(request, doors);
  const session = await (token && sessions.isRemembered(token) ? find() : limits.countUnknown(request.ip, find));
  if (session) limits.countSession(session, request.routeOptions.config.carriesImages ? 'images' : 'calls');
  return session;
};

const signedIn = async (request: FastifyRequest, doors: Authenticators): Promise<Session | undefined> => {
  const { sessions, signInBasic, openLink } = doors;
  if (openLink && request.headers.authorization === undefined) return openLink(request.url, request.ip);
  const authorization = request.headers.authorization ?? '';
  const token = tokenOf(request);
  if (token) {
    const isPoll = header(request, 'x-poll') === '1';
    const session = await sessions.resolve(token, request.ip, isPoll);
    return session && { ...session, isPoll, isPrefetch: isPrefetch(request, session) };
  }
  const basic = signInBasic && !isOfOtherPage(request) ? readBasic(authorization) : undefined;
  if (!basic || !signInBasic) return undefined;
  return signInBasic({ ...basic, subdomain: header(request, 'x-tenantid'), address: request.ip });
};

/**
 * True when the page of a reader loads a study in advance. A caller can forge the header. So it changes only the words of
 * the audit entry. It counts only in reads by users who write reports.
 */
const isPrefetch = (request: FastifyRequest, session: Session): boolean =>
  request.method === 'GET' && header(request, prefetchHeader) === '1' && hasPermission(session, 'report.edit');

/** Returns the session token of a call (RFC 6750 §2.1). */
export const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]{20,200})$/.exec(headers.authorization ?? '')?.[1];

/**
 * True when a browser calls on behalf of another website. The browser adds a remembered password, so the call counts as
 * unauthenticated.
 */
const isOfOtherPage = (request: FastifyRequest): boolean =>
  ['cross-site', 'same-site'].includes(header(request, 'sec-fetch-site') ?? '');

/** Reads the username and the password, in UTF-8 and separated by the first colon (RFC 7617 §2). */
const readBasic = (authorization: string): { username: string; password: string } | undefined => {
  const [, encoded] = /^Basic +([A-Za-z\d+/]+={0,2})$/i.exec(authorization) ?? [];
  if (!encoded) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  if (/\p{Cc}/u.test(text)) throw malformed(t`A username or password must not contain control characters`);
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
};

type Tenant = { id: number; name: string; subdomain: string; time_zone: string };

const visit = async (session: Session, subdomain: string, scopes: Scopes): Promise<Session> => {
  const { rows } = await scopes.withoutTenant((db) => sql<Tenant>`select * from find_tenant(${subdomain})`.execute(db));
  const [tenant] = rows;
  if (!tenant) throw new Problem(403, 'tenant.closed', t`This organization is suspended or does not exist`);
  const { id, name, time_zone } = tenant;
  const place = { homeTenantId: session.tenantId, tenantId: id, tenantName: name, subdomain, timeZone: time_zone };
  const visiting = { ...session, ...place };
  await noteVisit(visiting, scopes);
  return visiting;
};

/** Visits that this server has audited, with the time of each. */
const notedVisits = new WeakMap<Scopes, Map<string, number>>();
const notedFor = 3_600_000;
const notedAtMost = 1000;

const noteVisit = async (visiting: Session, scopes: Scopes): Promise<void> => {
  const noted = notedVisits.get(scopes) ?? new Map<string, number>();
  notedVisits.set(scopes, noted);
  const visit = `${visiting.id} ${visiting.tenantId}`;
  if (Date.now() - (noted.get(visit) ?? Number.NEGATIVE_INFINITY) < notedFor) return;
  await scopes.inTenant(visiting, (scope) =>
    audit(scope, 'tenant.enter', { entity: 'session', entityId: visiting.id }),
  );
  if (noted.size >= notedAtMost) noted.clear();
  noted.set(visit, Date.now());
};

/** Returns a header with a single value. Undefined when it is absent or empty. */
export const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Returns the value of a cookie in the request. */
export const cookieOf = (request: FastifyRequest, name: string): string | undefined => {
  const pairs = (header(request, 'cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
};
