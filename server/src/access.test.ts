import { defaultPermissions, hasAccess, permissions, type UserType, userTypes } from '@radwork/contract/core/access';
import { expect, test } from 'vitest';
import { newId } from './core/values/ids.ts';
import { as, comparable, isRefusal, personOf, sending, unknownIds } from '#test/access-walk.ts';
import {
  addressOf,
  bodyOf,
  type Call,
  contractCalls,
  hasBody,
  isAcrossTenants,
  type RecordIds,
} from '#test/contract-calls.ts';
import { fillTenant, type FullTenant } from '#test/full-tenant.ts';
import { addGroup, limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { withoutPolicy } from '#test/without-policy.ts';
import { createWorld } from '#test/world.ts';

const guarded = contractCalls.filter(({ can }) => can !== 'public');
const reading = guarded.filter(({ method }) => method === 'GET');

const mayCall = (type: UserType, { can }: Call): boolean =>
  hasAccess(can, type, (permission) => defaultPermissions[type].includes(permission));

/** These calls return audit entries about earlier requests, so their replies always differ. */
const auditCalls = ['GET /api/studies/:id/audit', 'GET /api/audit', 'GET /api/audit/export'];

/** Returns the replies of all read calls to users of every type, by type and call. */
const everythingSeenIn = async (tenant: FullTenant, calls = reading): Promise<Map<string, string>> => {
  const answers = new Map<string, string>();
  for (const call of calls.filter((one) => !auditCalls.includes(one.name) && !isAcrossTenants(one))) {
    for (const type of userTypes) {
      const answer = await send(call, tenant, as(personOf(tenant, type)));
      answers.set(`${type} ${call.name}`, comparable(answer));
    }
  }
  return answers;
};

const world = await createWorld();
const send = sending(world);
const ours = await fillTenant(world, 'OURS-A');
const seenAlone = await everythingSeenIn(ours);

test('every call that is not public refuses a missing or invalid session', async () => {
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
  // Removes the users of this test, because the next test would see them as colleagues.
  const visitors = [valid, expired, revoked, inactive].map(({ userId }) => userId);
  await owner.deleteFrom('sessions').where('user_id', 'in', visitors).execute();
  await owner.deleteFrom('user_roles').where('user_id', 'in', visitors).execute();
  await owner.deleteFrom('users').where('id', 'in', visitors).execute();

  expect(letIn).toEqual([]);
});

test('HEAD requires the same access as GET', async () => {
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

test('responses do not depend on the data of another tenant', async () => {
  await fillTenant(world, 'THEIRS-B');

  const answers = await everythingSeenIn(ours);

  expect(answers.size).toBeGreaterThan(0);
  expect(answers).toEqual(seenAlone);
});

test('if a table lacks its policy, the check finds it through each user type that may read the table', async () => {
  await fillTenant(world, 'BARE-C');
  const patients = reading.filter(({ name }) => name === 'GET /api/patients');
  const before = await everythingSeenIn(ours, patients);

  const answersWithoutPolicy = await withoutPolicy(world, 'patients', () => everythingSeenIn(ours, patients));

  const differing = [...answersWithoutPolicy].filter(([who, answer]) => answer !== before.get(who)).map(([who]) => who);
  expect(differing).toEqual(expect.arrayContaining(['ADMIN GET /api/patients', 'RADIOLOGIST GET /api/patients']));
  expect(await everythingSeenIn(ours, patients)).toEqual(before);
});

/** Ids by which calls name the study of a full tenant, its patient and everything about them. */
const idsOfStudy =
  `studyId reportId addendumId findingId measurementId keyImageId aiPassageId deliveryId chatMessageId linkHash
  patientId otherPatientId mergeId importJobId studyUid seriesUid instanceUid orderJoinId`.split(/\s+/);

test('no read call of a user who is limited to groups shows a study of other groups, or that it exists', async () => {
  const hidden = await fillTenant(world, `OTHER-GROUP-${newId()}`);
  const { tenant, studyId } = hidden;
  await putInGroups(world, tenant, studyId, [await addGroup(world, tenant)]);
  const name = `Secret-${newId()}`;
  await world.inTenant(tenant, ({ db }) => db.updateTable('patients').set({ patient_name: name }).execute());
  const canaries = [name, ...idsOfStudy.map((key) => String(Object(hidden)[key]))];
  const calls = reading.filter((call) => !isAcrossTenants(call));
  const found: string[] = [];
  let tried = 0;

  for (const permitted of ['default', 'all']) {
    if (permitted === 'all') {
      await world.inTenant(tenant, ({ db }) =>
        db
          .updateTable('roles')
          .set({ permissions: [...permissions] })
          .execute(),
      );
    }
    for (const type of ['RADIOLOGIST', 'REFERRING_PHYSICIAN'] as const) {
      const person = await world.signIn(type, tenant);
      await limitToNewGroup(world, person);
      for (const call of calls) {
        const nobody = unknownIds();
        const [answer, twin] = [await send(call, hidden, as(person)), await send(call, nobody, as(person))];
        tried += 2;
        const who = `${type} (${permitted}) ${call.name}`;
        if (answer.statusCode >= 500) found.push(`${who}: ${answer.statusCode}`);
        // A reply may repeat the ids of its request.
        const asked = addressOf(call, hidden);
        const shown = canaries.filter((text) => !asked.includes(text) && answer.payload.includes(text));
        if (shown.length > 0) found.push(`${who} shows ${shown.join(', ')}`);
        if (addressOf(call, nobody) === asked || auditCalls.includes(call.name)) continue;
        const names = (ids: FullTenant | RecordIds, text: string) =>
          idsOfStudy.reduce((rest, key) => rest.replaceAll(String(Object(ids)[key]), '#'), text);
        const isAlike =
          answer.statusCode === twin.statusCode &&
          names(hidden, comparable(answer)) === names(nobody, comparable(twin));
        if (!isAlike && namesStudy(call, hidden)) {
          found.push(`${who} answers ${answer.statusCode} unlike ${twin.statusCode}: ${answer.payload.slice(0, 200)}`);
        }
      }
    }
  }

  process.stdout.write(`${tried} reads of ${calls.length} routes tried by limited users on a study of other groups\n`);
  expect(tried).toBeGreaterThan(500);
  expect(found).toEqual([]);
}, 600_000);

/** True when the URL of a call names the study, or anything about it. */
const namesStudy = (call: Call, hidden: FullTenant): boolean => {
  const url = addressOf(call, hidden);
  return idsOfStudy.some((key) => url.includes(String(Object(hidden)[key])));
};

test('fields beyond the contract are neither stored nor returned', async () => {
  const mark = `INJECTED-${newId()}`;
  const beyond = {
    id: newId(),
    tenant_id: 1,
    user_id: newId(),
    user_type: 'SUPER_ADMIN',
    password_hash: mark,
    created_by: mark,
    link_hash: mark,
    content_html: mark,
  };
  const tenant = await fillTenant(world, 'BEYOND');

  const accepted: string[] = [];
  for (const call of guarded.filter((one) => one.method !== 'GET' && hasBody(one))) {
    for (const type of userTypes.filter((userType) => mayCall(userType, call))) {
      const person = await world.signIn(type, tenant.tenant);
      const url = addressOf(call, tenant);
      const payload = { ...beyond, ...bodyOf(call) };
      const answer = await person.request({ method: call.method, url, payload });
      if (answer.statusCode >= 500 || answer.payload.includes(mark))
        accepted.push(`${call.name}: ${answer.statusCode}`);
    }
  }

  const users = world.owner.selectFrom('users').select('password_hash').where('password_hash', '=', mark);
  expect(accepted).toEqual([]);
  expect(await users.execute()).toEqual([]);
});
