import { permissions, type UserType, userTypes } from '@radwork/contract/core/access';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from './core/values/ids.ts';
import { comparable, unknownIds } from '#test/access-walk.ts';
import { addressOf, bodyOf, type Call, type RecordIds } from '#test/contract-calls.ts';
import { fillTenant, type FullTenant, tenantTables } from '#test/full-tenant.ts';
import { bodyAbout, guardedWrites } from '#test/bodies-with-ids.ts';
import { addGroup, limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { addStudy } from '#test/stored-study.ts';
import { image, related } from '#test/multipart-upload.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';

const world = await createWorld();

/** The caller, and a study of which the caller must not know. */
type Attempt = {
  who: string;
  person: Person;
  /** Groups to which the caller is limited; empty for a caller without this limit. */
  groupIds: string[];
  hidden: FullTenant;
  differenceId: string;
  ids: readonly string[];
};
/** A call with hidden ids, and the same call with ids that do not exist. */
type Pair = { url: string; body: object | undefined; twinUrl: string; twinBody: object | undefined };

const ofStudy = [
  'studyId',
  'reportId',
  'addendumId',
  'commentId',
  'findingId',
  'measurementId',
  'keyImageId',
  'aiPassageId',
  'deliveryId',
  'chatMessageId',
  'linkHash',
] as const;
/** Staff see these ids for a deleted study too. Users with limited access see these ids only through their studies. */
const ofPatient = ['patientId', 'otherPatientId', 'mergeId', 'importJobId'] as const;
const ofImages = ['studyUid', 'seriesUid', 'instanceUid'] as const;

/** Calls for studies in the recycle bin. */
const ofRecycleBin = [
  'POST /api/studies/:id/restore',
  'POST /api/studies/:id/replacement',
  'POST /api/studies/:id/purge',
  'POST /api/studies/:id/purge/confirmation',
  'DELETE /api/studies/:id/purge',
  'PUT /api/studies/:id/legal-hold',
];

/** Gives the caller every permission, so that only the access to studies restricts the caller. */
const permitEverything = (tenant: Tenant) =>
  world.inTenant(tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: [...permissions] })
      .execute(),
  );

const differenceOf = async ({ tenant }: FullTenant): Promise<string> => {
  const { id } = await world.owner
    .selectFrom('patient_differences')
    .select('id')
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirstOrThrow();
  return id;
};

/** A study and a patient that the caller knows. The calls about them contain hidden ids in their bodies. */
const ownOf = async (person: Person, groupIds: string[]) => {
  const { id, patientId } = await world.inTenant(person.tenant, (scope) => addStudy(scope));
  if (groupIds.length > 0) await putInGroups(world, person.tenant, id, groupIds);
  await world.inTenant(person.tenant, ({ db }) =>
    db.insertInto('study_participants').values({ study_id: id, user_id: person.userId, role: 'SHARED' }).execute(),
  );
  return { studyId: id, patientId };
};

/** Whether a table records attempts, so that a refused call may change it: the audit log and refused files. */
const recordsAttempts = (table: string) => table.startsWith('audit') || table === 'refused_arrivals';

/** Returns the rows that contain hidden ids, by table. Leaves out tables that record attempts. */
const rowsAbout = async ({ tenant }: FullTenant, ids: readonly string[]): Promise<string[]> => {
  const tables = (await tenantTables(world)).filter((name) => !recordsAttempts(name));
  const parts = tables.map(
    (name) => sql`select ${name} || ' ' || to_jsonb(t)::text as row from ${sql.table(name)} t
      where tenant_id = ${tenant.id} and to_jsonb(t)::text like any (${ids.map((id) => `%${id}%`)})`,
  );
  const { rows } = await sql<{ row: string }>`${sql.join(parts, sql` union all `)} order by 1`.execute(world.owner);
  return rows.map(({ row }) => row);
};

/** Removes ids that the reply repeats from the request, because they reveal nothing. */
const withoutIds = (payload: string, ids: readonly string[]) =>
  ids.reduce((text, id) => text.replaceAll(id, '#'), payload);

const reportIdIn = ({ name }: Call, { reportId }: RecordIds) =>
  name === 'POST /api/external/reports' ? `?reportId=${reportId}` : '';

const pairsOf = (call: Call, { hidden, differenceId, ids }: Attempt, own: Pick<RecordIds, 'studyId' | 'patientId'>) => {
  const nobody: RecordIds = unknownIds();
  const atHome = (recordIds: RecordIds): RecordIds => ({ ...recordIds, ...own });
  const address = (recordIds: RecordIds) => addressOf(call, recordIds) + reportIdIn(call, recordIds);
  const naming = bodyAbout(call, hidden, differenceId);
  const twinNaming = bodyAbout(call, nobody, newId());
  const pairs: Pair[] = [
    { url: address(hidden), body: bodyOf(call), twinUrl: address(nobody), twinBody: bodyOf(call) },
    { url: address(hidden), body: naming, twinUrl: address(nobody), twinBody: twinNaming },
    { url: address(atHome(nobody)), body: naming, twinUrl: address(atHome(nobody)), twinBody: twinNaming },
  ];
  return pairs.filter(({ url, body }) => ids.some((id) => `${url} ${JSON.stringify(body ?? '')}`.includes(id)));
};

/** Lists every text in the two calls that their replies may repeat: hidden ids, and ids that do not exist. */
const wordsOf = ({ url, body, twinUrl, twinBody }: Pair): string[] => [
  ...new Set(JSON.stringify([url, body, twinUrl, twinBody]).match(/[-0-9a-f]{36}|2\.25\.\d+|x{43}/g)),
];

/**
 * Makes every call about the hidden study and returns the number of calls. Describes the calls that had an effect, and
 * those whose reply differed from the reply for ids that do not exist.
 */
const tryCalls = async (attempt: Attempt, calls: readonly Call[]) => {
  const { who, person, groupIds, hidden, ids } = attempt;
  const own = await ownOf(person, groupIds);
  const violations: string[] = [];
  let tried = 0;
  let before = await rowsAbout(hidden, ids);
  const send = async (call: Call, url: string, body: object | undefined) => {
    tried += 1;
    return person.request({ method: call.method, url, ...(body && { payload: body }) });
  };
  const note = async (what: string, answer: string, mayHaveWritten: boolean) => {
    if (answer) violations.push(`${who}: ${what} ${answer}`);
    if (!mayHaveWritten) return;
    const after = await rowsAbout(hidden, ids);
    const changed = after.filter((row) => !before.includes(row)).concat(before.filter((row) => !after.includes(row)));
    const tables = [...new Set(changed.map((row) => row.split(' ')[0]))];
    if (tables.length > 0) violations.push(`${who}: ${what} changes ${tables.join(' and ')}`);
    before = after;
  };
  for (const call of calls) {
    for (const pair of pairsOf(call, attempt, own)) {
      const answer = await send(call, pair.url, pair.body);
      const twin = await send(call, pair.twinUrl, pair.twinBody);
      const words = wordsOf(pair);
      const isAlike =
        answer.statusCode === twin.statusCode &&
        withoutIds(comparable(answer), words) === withoutIds(comparable(twin), words);
      const unlike = isAlike ? '' : `answers ${answer.statusCode} unlike ${twin.statusCode}: ${answer.body}`;
      await note(call.name, unlike, answer.statusCode < 400);
    }
    for (const file of call.method === 'POST' && call.can === 'study.create' && call.isStream
      ? filesInto(hidden)
      : []) {
      tried += 1;
      const answer = await person.request({ method: 'POST', url: addressOf(call, hidden), ...related(file) });
      const isStored = answer.statusCode < 400;
      await note(call.name, isStored ? `stores a file: ${answer.body}` : '', isStored);
    }
  }
  // A refused call may have written something.
  await note('a call that was refused', '', true);
  return { tried, found: violations };
};

/** Returns files with hidden UIDs, in several combinations of study, series and instance. */
const filesInto = ({ studyUid, seriesUid, instanceUid }: FullTenant): Buffer[] =>
  [
    { StudyInstanceUID: studyUid },
    { StudyInstanceUID: studyUid, SeriesInstanceUID: seriesUid },
    { StudyInstanceUID: studyUid, SeriesInstanceUID: seriesUid, SOPInstanceUID: instanceUid },
    { SeriesInstanceUID: seriesUid },
    { SOPInstanceUID: instanceUid },
    { StudyInstanceUID: newUid(), SeriesInstanceUID: seriesUid, SOPInstanceUID: instanceUid },
  ].map((uids) => image(uids).bytes);

const idsOf = (hidden: FullTenant, keys: readonly (keyof RecordIds)[]): string[] =>
  keys.map((key) => String(hidden[key]));

/** Runs `tryCalls` as a new user of each type, first with default permissions and then with all. */
const tryCallsAs = async (
  types: readonly UserType[],
  hidden: FullTenant,
  ids: readonly string[],
  calls: readonly Call[],
  groupsOf: (person: Person) => Promise<string[]> = async () => [],
) => {
  const differenceId = await differenceOf(hidden);
  const total = { tried: 0, found: [] as string[] };
  for (const permitted of ['default', 'all']) {
    if (permitted === 'all') await permitEverything(hidden.tenant);
    for (const type of types) {
      const person = await world.signIn(type, hidden.tenant);
      const groupIds = await groupsOf(person);
      const { tried, found: violations } = await tryCalls(
        { who: `${type} (${permitted})`, person, groupIds, hidden, differenceId, ids },
        calls,
      );
      total.tried += tried;
      total.found.push(...violations);
    }
  }
  return total;
};

const say = (words: string) => process.stdout.write(`${words}\n`);

test('no write of any role changes a study that a referring physician or a patient cannot see', async () => {
  const hidden = await fillTenant(world, `NOT-YOURS-${newId()}`);
  const ids = idsOf(hidden, [...ofStudy, ...ofPatient, ...ofImages]);

  const { tried, found: violations } = await tryCallsAs(['REFERRING_PHYSICIAN', 'PATIENT'], hidden, ids, guardedWrites);

  say(`${tried} calls of ${guardedWrites.length} routes tried on a study of others`);
  expect(tried).toBeGreaterThan(300);
  expect(violations).toEqual([]);
}, 600_000);

test('no write of a user who is limited to groups changes a study of other groups', async () => {
  const hidden = await fillTenant(world, `OTHER-GROUP-${newId()}`);
  await putInGroups(world, hidden.tenant, hidden.studyId, [await addGroup(world, hidden.tenant)]);
  const ids = idsOf(hidden, [...ofStudy, ...ofPatient, ...ofImages]);

  const { tried, found: violations } = await tryCallsAs(
    ['RADIOLOGIST', 'REFERRING_PHYSICIAN'],
    hidden,
    ids,
    guardedWrites,
    async (person) => [await limitToNewGroup(world, person)],
  );

  say(`${tried} calls of ${guardedWrites.length} routes tried by limited users on a study of other groups`);
  expect(tried).toBeGreaterThan(300);
  expect(violations).toEqual([]);
}, 600_000);

test('no write of any role changes a deleted study, except in the recycle bin', async () => {
  const hidden = await fillTenant(world, `DELETED-${newId()}`);
  await world.inTenant(hidden.tenant, ({ db }) =>
    db.updateTable('studies').set({ deleted_at: '2026-11-20T09:30:00Z' }).where('id', '=', hidden.studyId).execute(),
  );
  const calls = guardedWrites.filter(({ name }) => !ofRecycleBin.includes(name));

  const { tried, found: violations } = await tryCallsAs(
    userTypes,
    hidden,
    idsOf(hidden, [...ofStudy, ...ofImages]),
    calls,
  );

  say(`${tried} calls of ${calls.length} routes tried on a deleted study`);
  expect(tried).toBeGreaterThan(600);
  expect(violations).toEqual([]);
}, 600_000);

test('the check detects calls that write to a study, if the study is visible', async () => {
  const visibleTenant = await fillTenant(world, `SEEN-${newId()}`);
  const calls = guardedWrites.filter(({ name }) => name === 'PUT /api/studies/:id' || name === 'POST /api/chat/send');

  const { found: violations } = await tryCallsAs(
    ['RADIOLOGIST'],
    visibleTenant,
    idsOf(visibleTenant, [...ofStudy, ...ofImages]),
    calls,
  );

  expect(violations.join('\n')).toMatch(/PUT .api.studies.:id answers 409 unlike 404/);
  expect(violations.join('\n')).toMatch(/POST .api.chat.send changes .*chat_messages/);
}, 600_000);
