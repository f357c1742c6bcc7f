import { type UserType, userTypes } from '@radwork/contract/core/access';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ApiDocument, documentPath } from './core/http/api-document.ts';
import { newId } from './core/values/ids.ts';
import { orNotFound } from './core/http/problem.ts';
import { differencesFrom, isWalked, type Line, matrixLines } from '#test/access-matrix.ts';
import {
  type CallAnswer,
  as,
  canariesOf,
  comparable,
  unknownIds,
  isRefusal,
  personOf,
  sending,
} from '#test/access-walk.ts';
import { bodyOf, type Call, contractCalls, hasBody, isAcrossTenants, namesIds } from '#test/contract-calls.ts';
import { fillTenant, type FullTenant, tenantTables } from '#test/full-tenant.ts';
import { registeredRoutes } from '#test/registered-routes.ts';
import { storedSecrets, secretFields, isIntended } from '#test/stored-secrets.ts';
import { createWorld } from '#test/world.ts';
import { createApp } from './app.ts';

const operationOf = ({ method, url }: Pick<Call, 'method' | 'url'>) => `${method} ${documentPath(url)}`;
/**
 * User types, from the fewest rights to the most. Refused calls come first, because they leave the data unchanged for
 * the next user.
 */
const callers = [...userTypes].toReversed();

const world = await createWorld();
let send = sending(world);
const mark = `CANARY-B-${newId()}`;
const ours = await fillTenant(world, 'OURS-A');
const theirs = await fillTenant(world, mark);
/** The tenant that super administrators of other tenants visit. */
const visited = await fillTenant(world, 'VISITED-C');
const canaries = canariesOf(theirs, mark);
const secrets = await storedSecrets(world);

/** Data that leaked, as sentences that name the call and the caller. */
const leaks: string[] = [];

const tokensOf = ({ people }: FullTenant) => Array.from(people.values(), ({ token }) => token);

const listenFor = (call: Call, who: string, tenant: FullTenant, answer: CallAnswer): CallAnswer => {
  const leakedSecrets = [...secrets, ...tokensOf(tenant)].filter((secret) => answer.payload.includes(secret));
  const fields = secretFields(answer).filter((name) => !isIntended(operationOf(call), name));
  const visibleCanaries = isAcrossTenants(call) ? [] : canaries.filter((canary) => answer.payload.includes(canary));
  for (const what of [...leakedSecrets, ...fields, ...visibleCanaries])
    leaks.push(`${operationOf(call)} tells ${who}: ${what}`);
  return answer;
};

/** Returns a result in the words of the matrix: the status, or "may" for an allowed change. */
const wordOf = (call: Call, { statusCode }: CallAnswer): string => {
  if (call.method === 'GET' || call.can === 'public' || statusCode >= 500) return String(statusCode);
  return statusCode === 401 || statusCode === 403 ? String(statusCode) : 'may';
};

/** Joins results that should all be the same. */
const alike = (words: string[]): string => [...new Set(words)].join('|') || 'none';

/** Checks that a refused caller gets the same reply for all ids and bodies. */
const refusedAnyhow = async (call: Call, type: UserType | undefined): Promise<string> => {
  const headers = type ? as(personOf(ours, type)) : {};
  const words: string[] = [];
  for (const ids of [ours, theirs, unknownIds()]) {
    const answer = listenFor(call, type ?? 'anybody', ours, await send(call, ids, headers, '{'));
    const isPlain = isRefusal(answer, 403, 'Access denied') || isRefusal(answer, 401, 'Authentication required');
    words.push(isPlain ? String(answer.statusCode) : `${answer.statusCode} in other words`);
  }
  return alike(words);
};

/**
 * Returns 403 if permissions refuse the call before its body is read. Returns "rule" if the call is refused later,
 * because of the record.
 */
const refusedAtWhat = async (call: Call, type: UserType): Promise<string> => {
  const refusal = await refusedAnyhow(call, type);
  return refusal === '400 in other words' ? 'rule' : refusal;
};

/**
 * Returns the reply to a call about data of the caller's own tenant. Also checks that the name of another tenant in the
 * query has no effect.
 */
const answeredAtHome = async (call: Call, type: UserType, home: FullTenant): Promise<string> => {
  const headers = as(personOf(home, type));
  if (call.method !== 'GET' && hasBody(call)) {
    const { statusCode } = listenFor(call, type, home, await send(call, home, headers, '{'));
    if (![400, 401, 403].includes(statusCode)) return `${statusCode} to what is no JSON`;
  }
  const answer = listenFor(call, type, home, await send(call, home, headers, bodyOf(call)));
  if (call.method === 'GET') {
    const naming = `?tenantId=${theirs.tenant.id}&tenant=${theirs.tenant.subdomain}`;
    listenFor(call, type, home, await send({ ...call, url: `${call.url}${naming}` }, home, headers));
  }
  return wordOf(call, answer);
};

/** Returns the reply about data of another tenant. It must equal the reply about missing data. */
const answeredElsewhere = async (call: Call, type: UserType, home: FullTenant): Promise<string> => {
  const headers = as(personOf(home, type));
  const foreign = listenFor(call, type, home, await send(call, theirs, headers, bodyOf(call)));
  const unknown = listenFor(call, type, home, await send(call, unknownIds(), headers, bodyOf(call)));
  const isAlike = foreign.statusCode === unknown.statusCode && comparable(foreign) === comparable(unknown);
  return isAlike ? String(foreign.statusCode) : `${foreign.statusCode} unlike ${unknown.statusCode}`;
};

/** Returns the reply when the header names another tenant. */
const answeredWithHeader = async (call: Call, type: UserType): Promise<string> => {
  const headers = { ...as(personOf(ours, type)), 'x-tenantid': theirs.tenant.subdomain };
  return String(listenFor(call, type, ours, await send(call, theirs, headers, bodyOf(call))).statusCode);
};

/** Returns the reply to a super administrator who visits another tenant. */
const answeredToVisitor = async (call: Call, visited: FullTenant): Promise<string> => {
  const headers = { ...as(await world.signIn('SUPER_ADMIN')), 'x-tenantid': visited.tenant.subdomain };
  return wordOf(call, await send(call, visited, headers, bodyOf(call)));
};

/** A tenant for calls that change data, and a fingerprint of its rows when it was full. */
type Home = { tenant: FullTenant; print: string };

/** Homes whose rows no call has changed. */
const unchanged: Home[] = [];

/** Columns in which any call notes its time. */
const noted = sql`array['last_seen_at', 'last_used_at']`;

/** Returns a fingerprint of a tenant and all its rows, except its audit. */
const printOf = async ({ tenant }: FullTenant): Promise<string> => {
  const tables = (await tenantTables(world)).filter((table) => !table.startsWith('audit'));
  const prints = tables.map(
    (table) => sql`
      select ${table} || md5(coalesce(string_agg(row::text, '' order by row::text), '')) as print
      from (select to_jsonb(t) - ${noted} as row from ${sql.table(table)} t where tenant_id = ${tenant.id}) rows`,
  );
  prints.push(sql`select 'tenants' || md5(t::text) as print from tenants t where id = ${tenant.id}`);
  const { rows } = await sql<{ print: string }>`${sql.join(prints, sql` union all `)}`.execute(world.owner);
  return rows.map(({ print }) => print).join('\n');
};

/**
 * Runs work in a full tenant of its own. A tenant whose rows are as before serves the next call, because filling one
 * takes longer than all its calls.
 */
const atHome = async <T>(work: (home: FullTenant) => Promise<T>): Promise<T> => {
  const kept = unchanged.pop();
  const tenant = kept?.tenant ?? (await fillTenant(world, `HOME-${newId()}`));
  const print = kept?.print ?? (await printOf(tenant));
  const result = await work(tenant);
  if ((await printOf(tenant)) === print) unchanged.push({ tenant, print });
  return result;
};

/**
 * Returns the line of the matrix for a call, as observed on the server. Calls that change data run in a separate
 * tenant.
 */
const observe = (call: Call): Promise<Line> =>
  call.method === 'GET' ? observeIn(ours, call) : atHome((home) => observeIn(home, call));

const observeIn = async (home: FullTenant, call: Call): Promise<Line> => {
  const isPublic = call.can === 'public';
  const own: Record<string, string> = {};
  const elsewhere: string[] = [];
  for (const type of callers) {
    const word = await answeredAtHome(call, type, home);
    own[type] = word === '403' ? await refusedAtWhat(call, type) : word;
    if (own[type] !== '403' && !isPublic && namesIds(call) && !isAcrossTenants(call))
      elsewhere.push(await answeredElsewhere(call, type, home));
  }
  const withHeader: string[] = [];
  for (const type of isPublic ? [] : callers.filter((caller) => caller !== 'SUPER_ADMIN')) {
    withHeader.push(await answeredWithHeader(call, type));
  }
  const visitor = isPublic ? 'none' : await answeredToVisitor(call, home === ours ? visited : home);
  return {
    operation: operationOf(call),
    access: call.can,
    anonymous: isPublic ? wordOf(call, await send(call, home, {}, bodyOf(call))) : await refusedAnyhow(call, undefined),
    own: userTypes.map((type) => own[type] ?? ''),
    elsewhere: alike(elsewhere),
    withHeader: alike(withHeader),
    visitor,
  };
};

/** Returns a fingerprint of all rows of the tenant to which the callers do not belong. */
const fingerprint = async (): Promise<string[]> => {
  const prints: string[] = [];
  for (const table of await tenantTables(world)) {
    const { rows } = await sql<{ print: string }>`
      select ${table} || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as print
      from ${sql.table(table)} t where tenant_id = ${theirs.tenant.id}`.execute(world.owner);
    prints.push(orNotFound(rows[0], 'file').print);
  }
  return prints;
};

let document: ApiDocument;
beforeAll(async () => {
  document = (await personOf(ours, 'ADMIN').request({ method: 'GET', url: '/api/openapi.json' })).json();
});

const operationsOf = ({ paths }: ApiDocument) =>
  Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));

const routesOf = (app: FastifyInstance): string[] => registeredRoutes(app).map((route) => documentPath(route));

test('the OpenAPI document lists exactly the registered routes', () => {
  expect(operationsOf(document).toSorted()).toEqual(routesOf(world.app).toSorted());
});

test("the walk finds a route that is outside the contract, lacks an access check and returns another tenant's data", async () => {
  const planted = await createApp(world.context, join(world.dataDir, 'no-web'));
  const data = { patients: [{ id: theirs.patientId, passwordHash: '' }] };
  planted.get('/api/patients/:id/planted', { config: { access: 'public' } }, async () => ({
    code: 200,
    message: 'OK',
    data,
  }));
  onTestFinished(async () => {
    send = sending(world);
    leaks.length = 0;
    await planted.close();
  });
  send = sending({ request: (options) => planted.inject(options) });
  const url = '/api/patients/:id/planted';
  const call: Call = {
    name: `GET ${url}`,
    method: 'GET',
    url,
    can: 'patient.view',
    audited: 'patient.view',
    isStream: false,
    needsQuery: false,
  };

  const line = await observe(call);

  expect(routesOf(planted).filter((route) => !operationsOf(document).includes(route))).toEqual([operationOf(call)]);
  expect(line).toMatchObject({ anonymous: '200 in other words', elsewhere: '200' });
  expect(leaks).toContain(`${operationOf(call)} tells anybody: ${theirs.patientId}`);
  expect(leaks).toContain(`${operationOf(call)} tells ADMIN: passwordHash`);
});

/** Runs several calls at a time. Each has its own tenant, or changes nothing. */
const observeAll = async (calls: readonly Call[]): Promise<Line[]> => {
  const lines: Line[] = [];
  const waiting = calls.values();
  const work = async () => {
    for (const call of waiting) lines.push(await observe(call));
  };
  await Promise.all([work(), work(), work(), work()]);
  return lines;
};

test('every route has a line in the access matrix and answers as the line says', { timeout: 900_000 }, async () => {
  const calls = new Map(contractCalls.map((call) => [operationOf(call), call]));
  const operations = operationsOf(document).filter((operation) => isWalked(operation));
  if (operations.length === 0) throw new Error('No call belongs to the feature in ACCESS_MATRIX_OF');
  const documentedCalls = operations.map((operation) => {
    const call = calls.get(operation);
    if (!call) throw new Error(`${operation} belongs to no noun of the contract (contract/src/all.ts)`);
    return call;
  });
  const before = await fingerprint();

  // Reads run before changes.
  const reading = await observeAll(documentedCalls.filter(({ method }) => method === 'GET'));
  const writing = await observeAll(documentedCalls.filter(({ method }) => method !== 'GET'));
  const observed = new Map([...reading, ...writing].map((line) => [line.operation, line]));

  const differences = differencesFrom(operations.flatMap((operation) => observed.get(operation) ?? []));
  if (differences !== '') throw new Error(differences);
  const gone = [...matrixLines.keys()].filter((operation) => isWalked(operation) && !observed.has(operation));
  expect(gone, 'Lines of the matrix without a route').toEqual([]);
  expect(leaks).toEqual([]);
  expect(await fingerprint()).toEqual(before);
});
