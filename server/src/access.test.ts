import { defaultPermissions, type UserType, userTypes } from '@radwork/contract/access';
import { uidFrom } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { found } from '#core/problem.ts';
import { addressOf, bodyOf, type Call, contractCalls, type Named } from '#test/contract-calls.ts';
import { fillTenant, type FullTenant, tenantTables } from '#test/full-tenant.ts';
import { registeredRoutes } from '#test/registered-routes.ts';
import { createWorld, type Person } from '#test/world.ts';

const guarded = contractCalls.filter(({ can }) => can !== 'public');
const reading = guarded.filter(({ method }) => method === 'GET');

const mayCall = (type: UserType, { can }: Call): boolean =>
  can === 'public' || can === 'authenticated' || defaultPermissions[type].includes(can);

const callersOf = (call: Call) => userTypes.filter((type) => mayCall(type, call));
const refusedBy = (call: Call) => userTypes.filter((type) => !mayCall(type, call));

const personOf = ({ people }: FullTenant, type: UserType): Person => found(people.get(type), 'person');

const as = ({ token }: Pick<Person, 'token'>) => ({ authorization: `Bearer ${token}` });

const send = (call: Call, named: Named, headers: Record<string, string>, payload?: object | string) =>
  world.request({
    method: call.method,
    url: addressOf(call, named),
    headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
    ...(payload !== undefined && { payload }),
  });

type Answered = { payload: string; headers: Record<string, unknown> };

/** A body without what is drawn anew for every answer: its id in the log, the boundary of its parts. */
const comparable = ({ payload, headers }: Answered): string => {
  const [, boundary] = /boundary="?([^";]+)/.exec(String(headers['content-type'])) ?? [];
  const body = payload.replace(/"traceId":"[^"]+"/, '');
  return boundary ? body.replaceAll(boundary, '') : body;
};

const isRefusal = ({ statusCode, payload }: { statusCode: number; payload: string }, code: number, message: string) =>
  statusCode === code && payload.startsWith(`{"code":${code},`) && payload.includes(`"message":"${message}"`);

/** Ids that nobody has. */
const random = (): Named => ({
  studyId: newId(),
  patientId: newId(),
  reportId: newId(),
  addendumId: newId(),
  version: 1,
  linkHash: 'x'.repeat(43),
  studyUid: uidFrom(newId()),
  seriesUid: uidFrom(newId()),
  instanceUid: uidFrom(newId()),
  applicationEntityId: newId(),
  importJobId: newId(),
  deliveryId: newId(),
  notificationId: newId(),
  removalId: newId(),
  configurationId: newId(),
  findingId: newId(),
  assigneeId: newId(),
  chatMessageId: newId(),
  aiPassageId: newId(),
  templateId: newId(),
  macroId: newId(),
  mergeId: newId(),
  otherPatientId: newId(),
});

/** What it answers is what was asked before, and so never the same twice. */
const auditOfStudy = 'GET /api/studies/:id/audit';

/** What every reading call answers people of all types, by type and call. */
const everythingSeenIn = async (tenant: FullTenant): Promise<Map<string, string>> => {
  const seen = new Map<string, string>();
  for (const call of reading.filter(({ name }) => name !== auditOfStudy)) {
    for (const type of userTypes) {
      const answer = await send(call, tenant, as(personOf(tenant, type)));
      seen.set(`${type} ${call.name}`, comparable(answer));
    }
  }
  return seen;
};

/** A fingerprint of all rows of a tenant. */
const fingerprintOf = async ({ tenant }: FullTenant): Promise<string[]> => {
  const prints: string[] = [];
  for (const table of await tenantTables(world)) {
    const { rows } = await sql<{ print: string }>`
      select ${table} || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as print
      from ${sql.table(table)} t where tenant_id = ${tenant.id}`.execute(world.owner);
    prints.push(found(rows[0], 'fingerprint').print);
  }
  return prints;
};

const world = await createWorld();
const ours = await fillTenant(world, 'OURS-A');
const seenAlone = await everythingSeenIn(ours);
const theirs = await fillTenant(world, `CANARY-B-${newId()}`);

const { tenant, people, version: _, ...ids } = theirs;
/** What only somebody of the other tenant can know. */
const canaries = [
  'CANARY-B',
  tenant.subdomain,
  ...Object.values(ids),
  ...Array.from(people.values(), ({ username }) => username),
];
const leaksIn = (payload: string): string[] => canaries.filter((canary) => payload.includes(canary));

test('the server has every route of the contract and no other', () => {
  expect(registeredRoutes(world.app)).toEqual(contractCalls.map(({ name }) => name).toSorted());
});

test('without a valid session every call that is not public is refused', async () => {
  const signIn = () => world.signIn('ADMIN', ours.tenant);
  const [valid, expired, revoked, inactive] = [await signIn(), await signIn(), await signIn(), await signIn()];
  const ended = '2026-01-01T00:00:00Z';
  const { owner } = world;
  await owner.updateTable('sessions').set({ expires_at: ended }).where('user_id', '=', expired.userId).execute();
  await owner.updateTable('sessions').set({ revoked_at: ended }).where('user_id', '=', revoked.userId).execute();
  await owner.updateTable('users').set({ is_active: false }).where('id', '=', inactive.userId).execute();
  const strangers = {
    nobody: {},
    'a guess': as({ token: 'x'.repeat(43) }),
    'an empty token': as({ token: '' }),
    'another scheme': { authorization: `Digest ${valid.token}` },
    'an expired session': as(expired),
    'a revoked session': as(revoked),
    'a deactivated user': as(inactive),
  };

  const letIn: string[] = [];
  for (const call of guarded) {
    for (const [who, headers] of Object.entries(strangers)) {
      const answer = await send(call, ours, headers, '{');
      if (!isRefusal(answer, 401, 'Authentication required')) letIn.push(`${call.name}: ${who} ${answer.statusCode}`);
    }
  }
  // Colleagues see one another: those of this test are not to be among them in the next.
  const visitors = [valid, expired, revoked].map(({ userId }) => userId);
  await owner.updateTable('users').set({ is_active: false }).where('id', 'in', visitors).execute();

  expect(letIn).toEqual([]);
});

test('HEAD asks for no less than GET', async () => {
  const letIn: string[] = [];
  for (const call of reading) {
    const url = addressOf(call, ours);
    const stranger = await world.request({ method: 'HEAD', url });
    const patient = await world.request({ method: 'HEAD', url, headers: as(personOf(ours, 'PATIENT')) });
    const isRefused = patient.statusCode === 403;
    if (stranger.statusCode !== 401 || isRefused === mayCall('PATIENT', call)) letIn.push(call.name);
  }

  expect(letIn).toEqual([]);
});

test('without the permission a call is refused before anything is read: a wrong body and a foreign id too', async () => {
  const letIn: string[] = [];
  for (const call of guarded) {
    for (const type of refusedBy(call)) {
      for (const named of [ours, theirs, random()]) {
        const answer = await send(call, named, as(personOf(ours, type)), '{');
        if (!isRefusal(answer, 403, 'Access denied')) letIn.push(`${call.name}: ${type} ${answer.statusCode}`);
      }
    }
  }

  expect(letIn).toEqual([]);
});

test('with the permission every reading call answers, and says nothing of a tenant that is asked for', async () => {
  const wrong: string[] = [];
  for (const call of reading) {
    for (const type of callersOf(call)) {
      const headers = as(personOf(ours, type));
      const url = `${addressOf(call, ours)}?tenantId=${theirs.tenant.id}&tenant=${theirs.tenant.subdomain}`;
      const { statusCode, payload } = await send(call, ours, headers);
      const asking = await world.request({ method: 'GET', url, headers });
      // A stream may find nothing to send or the address incomplete; what it may not do is refuse or break.
      const isAnswered = call.isStream
        ? statusCode < 500 && ![401, 403].includes(statusCode)
        : statusCode === (call.needsQuery ? 400 : 200);
      if (!isAnswered) wrong.push(`${call.name}: ${type} ${statusCode}`);
      wrong.push(...leaksIn(payload + asking.payload).map((leak) => `${call.name}: ${type} sees ${leak}`));
    }
  }

  expect(wrong).toEqual([]);
});

test("another tenant's id is answered like one that nobody has, byte by byte, and nothing changes there", async () => {
  const untouched = await fingerprintOf(theirs);

  const wrong: string[] = [];
  for (const call of guarded.filter(({ url }) => url.replace('/:modality', '').includes(':'))) {
    for (const type of callersOf(call)) {
      const headers = as(personOf(ours, type));
      const foreign = await send(call, theirs, headers, bodyOf(call));
      const unknown = await send(call, random(), headers, bodyOf(call));
      const isAlike = foreign.statusCode === unknown.statusCode && comparable(foreign) === comparable(unknown);
      if (!isAlike || (!call.isStream && foreign.statusCode !== 404)) wrong.push(`${call.name}: ${type}`);
      wrong.push(...leaksIn(foreign.payload).map((leak) => `${call.name}: ${type} sees ${leak}`));
    }
  }

  expect(wrong).toEqual([]);
  expect(await fingerprintOf(theirs)).toEqual(untouched);
});

test('naming another tenant in the header is refused to everybody but a super administrator', async () => {
  const letIn: string[] = [];
  for (const call of guarded) {
    for (const type of userTypes.filter((one) => one !== 'SUPER_ADMIN')) {
      const headers = { ...as(personOf(ours, type)), 'x-tenantid': theirs.tenant.subdomain };
      const { statusCode, payload } = await send(call, theirs, headers, bodyOf(call));
      if (statusCode !== 403 || leaksIn(payload).length > 0) letIn.push(`${call.name}: ${type} ${statusCode}`);
    }
  }

  expect(letIn).toEqual([]);
});

test('what one sees does not depend on what another tenant has', async () => {
  const seen = await everythingSeenIn(ours);

  expect(seen.size).toBeGreaterThan(0);
  expect(seen).toEqual(seenAlone);
});
