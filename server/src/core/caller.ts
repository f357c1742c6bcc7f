import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { audit } from './audit.ts';
import type { CallLimits } from './call-limits.ts';
import { forbidden, malformed, Problem, secondFactorNeeded } from './problem.ts';
import { mayVisit, type Scopes, type Session } from './scope.ts';
import type { Sessions } from './sessions.ts';

/** A name and a password that came with a call, and where from; `subdomain` is the tenant that the call names. */
export type BasicCredentials = { username: string; password: string; subdomain: string | undefined; address: string };

/** Who a name and a password belong to. Throws 401 when they belong to nobody, and 429 after too many wrong ones. */
export type SignInBasic = (credentials: BasicCredentials) => Promise<Session>;

/** Who an address was made for, if it is one that says so by itself. */
export type OpenLink = (url: string, address: string) => Promise<Session | undefined>;

/** What finding out who calls takes. Without `signInBasic` and `openLink` a token is the only way in. */
export type Doors = {
  scopes: Scopes;
  sessions: Sessions;
  signInBasic?: SignInBasic | undefined;
  openLink?: OpenLink | undefined;
  /** Whether those may pass who have to enrol a second factor before anything else. */
  isForEnrolling?: boolean | undefined;
  limits?: CallLimits | undefined;
};

/** What a caller may come with, for software that asks (RFC 7617, RFC 6750). */
export const challenge = 'Basic realm="Radwork", charset="UTF-8", Bearer realm="Radwork"';

/**
 * Who makes a call, if they say so. The tenant is the caller's; only a super administrator may name another. That is
 * written down once an hour; what they do there is written down under their name each time, like everybody's. Throws 429
 * for too many calls.
 */
export const callerOf = async (request: FastifyRequest, doors: Doors): Promise<Session | undefined> => {
  const session = await countedIn(request, doors);
  if (session?.secondFactor === 'NEEDED' && !doors.isForEnrolling) throw secondFactorNeeded();
  const subdomain = header(request, 'x-tenantid');
  if (!session || !subdomain || subdomain === session.subdomain) return session;
  // The refusal is told of to whoever watches refusals, who has to know whose it is.
  request.session = session;
  if (!mayVisit(session)) throw forbidden('This session belongs to another tenant');
  return visit(session, subdomain, doors.scopes);
};

const countedIn = async (request: FastifyRequest, doors: Doors): Promise<Session | undefined> => {
  const { limits, sessions } = doors;
  if (!limits) return signedIn(request, doors);
  const token = tokenOf(request);
  const find = () => signedIn(request, doors);
  const session = await (token && sessions.isRemembered(token) ? find() : limits.countUnknown(request.ip, find));
  if (session) limits.countSession(session, request.routeOptions.config.carriesImages ? 'images' : 'calls');
  return session;
};

const signedIn = async (request: FastifyRequest, doors: Doors): Promise<Session | undefined> => {
  const { sessions, signInBasic, openLink } = doors;
  if (openLink && request.headers.authorization === undefined) return openLink(request.url, request.ip);
  const authorization = request.headers.authorization ?? '';
  const token = tokenOf(request);
  if (token) {
    const isPoll = header(request, 'x-poll') === '1';
    const session = await sessions.resolve(token, request.ip, isPoll);
    return session && { ...session, isPoll };
  }
  const basic = signInBasic && !isOfOtherPage(request) ? readBasic(authorization) : undefined;
  if (!basic || !signInBasic) return undefined;
  return signInBasic({ ...basic, subdomain: header(request, 'x-tenantid'), address: request.ip });
};

/** The session's token that a call came with (RFC 6750 §2.1). */
export const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]{20,200})$/.exec(headers.authorization ?? '')?.[1];

/**
 * Whether a browser calls for a page that is not ours. It sends a password that it remembers with every call, whoever
 * has made it; such calls are made by nobody.
 */
const isOfOtherPage = (request: FastifyRequest): boolean =>
  ['cross-site', 'same-site'].includes(header(request, 'sec-fetch-site') ?? '');

/** A name and a password in UTF-8, divided by the first colon (RFC 7617 §2). */
const readBasic = (authorization: string): { username: string; password: string } | undefined => {
  const [, encoded] = /^Basic +([A-Za-z\d+/]+={0,2})$/i.exec(authorization) ?? [];
  if (!encoded) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  if (/\p{Cc}/u.test(text)) throw malformed('A name or a password holds no control characters');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
};

type Tenant = { id: number; name: string; subdomain: string; time_zone: string };

const visit = async (session: Session, subdomain: string, scopes: Scopes): Promise<Session> => {
  const { rows } = await scopes.withoutTenant((db) => sql<Tenant>`select * from find_tenant(${subdomain})`.execute(db));
  const [tenant] = rows;
  if (!tenant) throw new Problem(403, 'tenant.closed', 'This organisation is suspended or does not exist');
  const { id, name, time_zone } = tenant;
  const place = { homeTenantId: session.tenantId, tenantId: id, tenantName: name, subdomain, timeZone: time_zone };
  const visiting = { ...session, ...place };
  await noteVisit(visiting, scopes);
  return visiting;
};

/** The visits that this server has written down, and when. */
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

/** A header that has one value; undefined when it is absent or empty. */
export const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
