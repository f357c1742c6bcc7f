import { defaultPermissions, hasAccess, permissions, type UserType, userTypes } from '@radwork/contract/core/access';
import { endpoints } from '@radwork/contract/all';
import { chat } from '@radwork/contract/reading/chat';
import type { Endpoint } from '@radwork/contract/core/endpoint';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { workflow } from '@radwork/contract/reading/workflow';
import { uidFrom } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { announce } from './core/live/announce.ts';
import { newId } from './core/values/ids.ts';
import { orNotFound } from './core/http/problem.ts';
import { addressOf, bodyOf, type Call, contractCalls, isAcrossTenants, type RecordIds } from '#test/contract-calls.ts';
import { eventually } from '#test/eventually.ts';
import { fillTenant, type FullTenant, tenantTables } from '#test/full-tenant.ts';
import { receiveEvents, listeningTo } from '#test/listen-live.ts';
import { bodyAbout, bodyNaming, guardedWrites, idsByField } from '#test/bodies-with-ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { withoutPolicy } from '#test/without-policy.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';

/** Names, Patient IDs and UIDs that both tenants have. */
const same = 'SAME';
/** A text that is in one tenant only. */
const secret = `secret-${newId()}`;

const guarded = contractCalls.filter((call) => call.can !== 'public' && !isAcrossTenants(call));
const reading = guarded.filter(({ method }) => method === 'GET');
const writing = guardedWrites;

/** These calls return earlier requests, so their replies always differ. */
const auditCalls = ['GET /api/studies/:id/audit', 'GET /api/audit', 'GET /api/audit/export'];

const mayCall = (type: UserType, { can }: Call): boolean =>
  hasAccess(can, type, (permission) => defaultPermissions[type].includes(permission));

const personOf = ({ people }: Pick<FullTenant, 'people'>, type: UserType): Person =>
  orNotFound(people.get(type), 'user');

/**
 * Returns a user who may make a call and has few rights. A super administrator is the last choice, because that user
 * may visit other tenants.
 */
const callerOf = (tenant: FullTenant, call: Call): Person =>
  personOf(
    tenant,
    orNotFound(
      (['ADMIN', 'RADIOLOGIST', ...userTypes] as const).find((type) => mayCall(type, call)),
      'user',
    ),
  );

const endpointOf = (call: Call): Endpoint | undefined =>
  endpoints.find(({ method, path }) => `${method} /api${path}` === call.name);

/** Returns the query parameters of a call in the contract. Searches in DICOMweb have attributes instead. */
const queryKeysOf = (call: Call): string[] => {
  const query = endpointOf(call)?.query;
  if (query instanceof z.ZodObject) return Object.keys(query.shape);
  return call.isStream && /\/(studies|series|instances)$/.test(call.url) ? ['PatientName', 'StudyDescription'] : [];
};

/** Query parameters that contain an id. */
const idIn = (key: string, recordIds: RecordIds): string | undefined => {
  if (key === 'studyId') return recordIds.studyId;
  if (key === 'roleId') return recordIds.roleId;
  return key === 'configId' ? recordIds.configurationId : undefined;
};

/** Returns the plain URL of a call, and URLs with each search word in each parameter. */
const searchesOf = (call: Call, recordIds: RecordIds, words: readonly string[]): string[] => {
  const keys = queryKeysOf(call);
  const ids = keys.flatMap((key) => [idIn(key, recordIds)].flatMap((id) => (id ? [`${key}=${id}`] : [])));
  const address = (query: string[]) => [addressOf(call, recordIds), query.join('&')].filter(Boolean).join('?');
  const others = keys.filter((key) => !idIn(key, recordIds));
  const searches = others.flatMap((key) =>
    words.map((word) => address([...ids, `${key}=${encodeURIComponent(word)}`])),
  );
  return [address(ids), ...searches];
};

/** Returns a reply without its random parts: the trace id and the multipart boundary. */
const comparable = ({ payload, headers }: { payload: string; headers: Record<string, unknown> }): string => {
  const [, boundary] = /boundary="?([^";]+)/.exec(String(headers['content-type'])) ?? [];
  const body = payload.replace(/"traceId":"[^"]+"/, '');
  return boundary ? body.replaceAll(boundary, '') : body;
};

/** Returns the replies to all allowed searches, by URL. */
const answersTo = async (
  person: (call: Call) => Person,
  searches: (call: Call) => string[],
  calls: readonly Call[] = reading,
) => {
  const answers = new Map<string, string>();
  for (const call of calls.filter(({ name }) => !auditCalls.includes(name))) {
    for (const url of searches(call)) {
      answers.set(`GET ${url}`, comparable(await person(call).request({ method: 'GET', url })));
    }
  }
  return answers;
};

/** Returns all rows of a tenant as text, by table. */
const rowsOf = async ({ id }: Tenant): Promise<Map<string, string>> => {
  const rows = new Map<string, string>();
  await world.context.auditReads.flush();
  for (const table of await tenantTables(world)) {
    const { rows: tableRows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t where tenant_id = ${id} order by 1`.execute(
      world.owner,
    );
    rows.set(table, tableRows.map(({ row }) => row).join('\n'));
  }
  return rows;
};

/**
 * Returns ids, names and texts that are in rows of one tenant and in no row of the other. Words of the product do not
 * count.
 */
const onlyIn = async (one: Tenant, other: Tenant): Promise<string[]> => {
  const texts = (rows: Map<string, string>) =>
    new Set([...rows.values()].flatMap((table) => table.match(/"(?:[^"\\]|\\.)*"/g) ?? []));
  const known = texts(await rowsOf(other));
  return [...texts(await rowsOf(one))]
    .filter((text) => !known.has(text))
    .map((text): string => JSON.parse(text))
    .filter((text) => text.length >= 8 && /\d/.test(text));
};

const leaks = (answers: Map<string, string>, canaries: readonly string[]): string[] =>
  [...answers].flatMap(([request, answer]) =>
    // Ignores texts that the reply repeats from the request.
    canaries
      .filter((canary) => answer.includes(canary) && !request.includes(canary))
      .map((canary) => `${request} says ${canary}`),
  );

/** Writes secret texts as users of a tenant. Returns the study of these texts. */
const writeSecrets = async (tenant: FullTenant): Promise<string> => {
  const { studyId, patientId } = tenant;
  const admin = personOf(tenant, 'ADMIN');
  const params = { id: studyId };
  const { data: study } = await admin.send(studies.get, { params });
  const { data: patient } = await admin.send(patients.get, { params: { id: patientId } });
  const { patientName, patientId: identifier, revision } = patient;
  const form = {
    patientName,
    patientId: identifier,
    gender: 'F',
    dateOfBirth: '1961-04-30',
    address: secret,
    revision,
  };
  const registered = await admin.send(studies.create, {
    body: { modality: 'CT', existingPatientId: patientId, description: secret },
  });
  const answers = [
    registered,
    await admin.send(studies.update, { params, body: { revision: study.revision, description: secret } }),
    await admin.send(patients.update, { params: { id: patientId }, body: form }),
    await admin.send(chat.send, {
      body: { conversationId: studyId, text: `@${personOf(tenant, 'RADIOLOGIST').username} ${secret}` },
    }),
    await admin.send(workflow.assign, {
      params: { id: registered.data.id },
      body: { userIds: [personOf(tenant, 'RADIOLOGIST').userId], dueDate: '2126-01-01T00:00:00Z', notes: secret },
    }),
  ];
  expect(answers.filter(({ code }) => code !== 200)).toEqual([]);
  return registered.data.id;
};

/** Gives the caller every permission, so that only the tenant restricts access. */
const permitEverything = (tenant: Tenant) =>
  world.inTenant(tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: [...permissions] })
      .execute(),
  );

const world = await createWorld();
const listen = listeningTo(world);

const ours = await fillTenant(world, same);
const words = [same, secret];
const askOurs = () =>
  answersTo(
    (call) => callerOf(ours, call),
    (call) => searchesOf(call, ours, words),
  );
const answeredAlone = await askOurs();
const theirs = await fillTenant(world, same);
const secretStudyId = await writeSecrets(theirs);

test('searches, lists, counts and exports do not depend on the data of another tenant', async () => {
  const canaries = await onlyIn(theirs.tenant, ours.tenant);

  const answers = await askOurs();

  const known = [secret, secretStudyId, theirs.studyId, theirs.patientId, theirs.chatMessageId, theirs.notificationId];
  expect(canaries).toEqual(expect.arrayContaining(known));
  const understood = [...answers.values()].filter((answer) => answer.startsWith('{"code":200,'));
  expect(understood.length).toBeGreaterThan(endpoints.filter(({ method }) => method === 'GET').length);
  expect(leaks(answers, canaries)).toEqual([]);
  expect(answers).toEqual(answeredAlone);
});

test('no call with ids or texts of another tenant reveals anything about it', async () => {
  const canaries = await onlyIn(theirs.tenant, ours.tenant);
  const looked = [secret, theirs.studyId, theirs.patientId, personOf(theirs, 'RADIOLOGIST').username];

  const answers = await answersTo(
    (call) => callerOf(ours, call),
    (call) => [...searchesOf(call, theirs, looked), ...searchesOf(call, ours, looked)],
  );

  expect(leaks(answers, canaries)).toEqual([]);
});

test('the check detects ids, names and changes that cross from one tenant to another', async () => {
  const canaries = await onlyIn(theirs.tenant, ours.tenant);
  const untouched = await rowsOf(theirs.tenant);
  const ofPatients = guarded.filter(({ name }) => /^GET .api.patients(.:id)?$/.test(name));
  const change = orNotFound(
    writing.find(({ name }) => name === 'PUT /api/patients/:id'),
    'difference',
  );
  const { data: patient } = await personOf(theirs, 'ADMIN').send(patients.get, { params: { id: theirs.patientId } });
  const { patientId, gender, dateOfBirth, address, revision } = patient;
  const payload = { patientName: 'PLANTED', patientId, gender, dateOfBirth, address, revision };

  const { answers, changed } = await withoutPolicy(world, 'patients', async () => ({
    answers: await answersTo(
      (call) => callerOf(ours, call),
      (call) => [...searchesOf(call, ours, []), ...searchesOf(call, theirs, [])],
      ofPatients,
    ),
    changed: await callerOf(ours, change).request({ method: 'PUT', url: addressOf(change, theirs), payload }),
  }));

  expect(ofPatients).toHaveLength(2);
  expect(leaks(answers, canaries)).toContain(`GET /api/patients says ${theirs.patientId}`);
  expect(leaks(answers, canaries)).toContain(
    `GET ${addressOf(orNotFound(ofPatients[1], 'page'), theirs)} says ${secret}`,
  );
  expect(changed.statusCode).toBe(200);
  expect(await rowsOf(theirs.tenant)).not.toEqual(untouched);
});

test('a user who sees only some studies learns nothing about the other studies', async () => {
  const stranger = await world.signIn('REFERRING_PHYSICIAN', theirs.tenant);
  const { studyId, patientId, otherPatientId, reportId, chatMessageId, seriesUid, instanceUid } = theirs;
  const hidden = [secret, secretStudyId, studyId, patientId, otherPatientId, reportId, chatMessageId];

  const answers = await answersTo(
    () => stranger,
    (call) => searchesOf(call, theirs, [...words, studyId, patientId, 'MINE', 'PENDING']),
  );

  expect(leaks(answers, [...hidden, seriesUid, instanceUid])).toEqual([]);
});

test('refuses a body with an id of another tenant and writes nothing in either tenant', async () => {
  const { id: differenceId } = await world.owner
    .selectFrom('patient_differences')
    .select('id')
    .where('tenant_id', '=', theirs.tenant.id)
    .executeTakeFirstOrThrow();
  const ids = idsByField(theirs, differenceId);
  const naming = writing.flatMap((call) => {
    const body = bodyNaming(call, ids);
    return body ? [{ call, body }] : [];
  });
  const untouched = await rowsOf(theirs.tenant);

  const accepted: string[] = [];
  for (const { call, body } of naming) {
    for (const recordIds of [ours, theirs]) {
      const url = addressOf(call, recordIds);
      const { statusCode } = await callerOf(ours, call).request({ method: call.method, url, payload: body });
      if (statusCode < 400 || statusCode >= 500) accepted.push(`${call.name} ${statusCode}`);
    }
  }

  process.stdout.write(`${2 * naming.length} bodies tried that name another tenant's ids\n`);
  expect(naming.length).toBeGreaterThan(8);
  expect(accepted).toEqual([]);
  expect(await rowsOf(theirs.tenant)).toEqual(untouched);
  expect([...(await rowsOf(ours.tenant)).values()].join().includes(secret)).toBe(false);
});

test('users receive no events of other tenants or of studies hidden from them', async () => {
  const [own, busy] = [await world.signIn('ADMIN'), await fillTenant(world, 'BUSY')];
  const limited = await world.signIn('REFERRING_PHYSICIAN', busy.tenant);
  const colleague = await world.signIn('ADMIN', busy.tenant);
  const [elsewhere, apart, within] = [await listen(own), await listen(limited), await listen(colleague)];

  await writeSecrets(busy);
  for (const call of writing) {
    const caller = await world.signIn(callerOf(busy, call).session.userType, busy.tenant);
    const payload = bodyOf(call);
    await caller.request({ method: call.method, url: addressOf(call, busy), ...(payload && { payload }) });
  }
  await eventually(() => expect(new Set(within.events.map(({ kind }) => kind))).toContain('chat'));
  await world.inTenant(busy.tenant, (scope) => announce(scope, { kind: 'notifications' }, [limited.userId]));
  await world.inTenant(own.tenant, (scope) => announce(scope, { kind: 'study', studyId: 'their own' }));
  await receiveEvents(apart);
  await receiveEvents(elsewhere);

  const kinds = new Set(within.events.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['study', 'patient', 'chat']));
  expect(elsewhere.events).toEqual([{ kind: 'study', studyId: 'their own' }]);
  // Templates, atlas, guidelines, hanging rules and settings belong to the organization, not to a study.
  const ofNoStudy = new Set([
    'templates',
    'atlas',
    'guidelines',
    'hanging-rules',
    'saved-views',
    'studies',
    'everything',
  ]);
  expect(apart.events.filter(({ kind }) => !ofNoStudy.has(kind))).toEqual([{ kind: 'notifications' }]);
});

test('a change with an id of another tenant, or with a UID that both tenants have, changes nothing in the other', async () => {
  const studyUid = uidFrom('in both tenants');
  for (const { tenant } of [ours, theirs]) {
    await world.inTenant(tenant, (scope) => addStudy(scope, { study_instance_uid: studyUid }));
  }
  const untouched = await rowsOf(theirs.tenant);

  for (const call of writing) {
    const caller = await world.signIn(callerOf(ours, call).session.userType, ours.tenant);
    const payload = bodyOf(call);
    const url = addressOf(call, { ...theirs, studyUid });
    await caller.request({ method: call.method, url, ...(payload && { payload }) });
  }

  const { deleted_at } = await world.inTenant(ours.tenant, ({ db }) =>
    db.selectFrom('studies').select('deleted_at').where('study_instance_uid', '=', studyUid).executeTakeFirstOrThrow(),
  );
  expect(deleted_at).not.toBeNull();
  expect(await rowsOf(theirs.tenant)).toEqual(untouched);
});

test('no write of any role with any permissions changes another tenant', async () => {
  const { id: differenceId } = await world.owner
    .selectFrom('patient_differences')
    .select('id')
    .where('tenant_id', '=', theirs.tenant.id)
    .executeTakeFirstOrThrow();
  const untouched = await rowsOf(theirs.tenant);
  const canaries = await onlyIn(theirs.tenant, ours.tenant);
  const answers = new Map<string, string>();
  let tried = 0;

  for (const permitted of ['default', 'all']) {
    const home = await fillTenant(world, `HOME-${permitted}`);
    if (permitted === 'all') await permitEverything(home.tenant);
    for (const type of userTypes) {
      let person = await world.signIn(type, home.tenant);
      for (const call of writing) {
        const naming = bodyAbout(call, theirs, differenceId);
        for (const [recordIds, body] of [
          [theirs, bodyOf(call)],
          [theirs, naming],
          [home, naming],
        ] as const) {
          if (body === undefined && recordIds === home) continue;
          tried += 1;
          const url = addressOf(call, recordIds);
          const ask = () => person.request({ method: call.method, url, ...(body && { payload: body }) });
          let answer = await ask();
          // Some calls end the session that makes them.
          if (answer.statusCode === 401) {
            person = await world.signIn(type, home.tenant);
            answer = await ask();
          }
          answers.set(`${type} ${call.name} ${JSON.stringify([url, body])}`, comparable(answer));
        }
      }
    }
  }

  process.stdout.write(`${tried} writes of ${writing.length} routes tried on another tenant\n`);
  expect(tried).toBeGreaterThan(2000);
  expect(leaks(answers, canaries)).toEqual([]);
  expect(await rowsOf(theirs.tenant)).toEqual(untouched);
}, 900_000);
