import { readConditions } from '@radwork/contract/imaging/study-conditions';
import { studySortFields } from '@radwork/contract/imaging/studies';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openServingPool, type Schema } from '#core/database/database.ts';
import { newId } from '#core/values/ids.ts';
import { type Scope, type Session, systemSession } from '#core/access/scope.ts';
import { openScopes } from '../../extensions.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld } from '#test/world.ts';
import type { StudyFilter } from './study-filter.ts';
import { findStudies, studyIds } from './study-keys.ts';
import { countStudies } from './study-sources.ts';
import { list } from './study-list.ts';
import type { StudySort } from './study-order.ts';

/** Number of patients for which an index is the cheaper plan. Any practice has so many studies after some months. */
const patients = 3000;
const studiesEach = 5;

const largeGroupId = newId();

const world = await createWorld();
const tenant = await world.newTenant();
const { patientId } = await world.inTenant(tenant, (scope) => addStudy(scope));

await sql`
  insert into patients (tenant_id, id, patient_id, patient_name)
  select ${sql.lit(tenant.id)}, gen_random_uuid(), 'MRN' || p,
         substr(md5(p::text), 1, 8) || '^' || (array['Anna', 'Omar', 'Wei'])[1 + p % 3]
  from generate_series(1, ${sql.lit(patients)}) p`.execute(world.owner);
await sql`
  insert into studies (tenant_id, id, patient_id, study_instance_uid, study_date, status, modality, modalities,
                       patient_name, patient_identifier, group_ids)
  select p.tenant_id, gen_random_uuid(), p.id, '1.2.' || n || '.' || substr(p.patient_id, 4),
         timestamp '2026-11-20' - random() * interval '2000 days',
         case when hashtext(p.patient_id || n) % 20 = 0 then 'PENDING' else 'ARCHIVED' end, modality, array[modality],
         p.patient_name, p.patient_id, case when n > 1 then array[${sql.lit(largeGroupId)}::uuid] else '{}' end
  from patients p, generate_series(1, ${sql.lit(studiesEach)}) n,
       lateral (select case when hashtext(p.patient_id || n) % 10 = 0 then 'MR' else 'CT' end as modality) one
  where p.patient_id like 'MRN%'`.execute(world.owner);
await sql`
  insert into series (tenant_id, id, study_id, series_instance_uid, modality, body_part_examined)
  select tenant_id, gen_random_uuid(), id, study_instance_uid || '.1', modality,
         (array['CHEST', 'HEAD', 'ABDOMEN', 'KNEE'])[1 + floor(power(abs(hashtext(id::text) % 1000) / 1000.0, 10) * 3.999)]
  from studies where tenant_id = ${sql.lit(tenant.id)} and study_instance_uid like '1.2.%'`.execute(world.owner);
await sql`vacuum analyze studies, study_modalities, series`.execute(world.owner);

const queries: CompiledQuery[] = [];
const pool = openServingPool(world.url, 1);
const database = new Kysely<Schema>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => {
    queries.push(query);
  },
});
afterAll(() => database.destroy());

const reader = { ...systemSession(tenant.id), userId: newId(), userType: 'RADIOLOGIST' as const };

const byDate: StudySort = { field: 'studyDate', direction: 'desc' };

/** Returns the query plans for `work`, in the role that serves requests. */
const plansOf = async (work: (scope: Scope) => Promise<unknown>, as: Session = reader): Promise<string> => {
  const lines: string[] = [];
  await openScopes(database).inTenant(as, async (scope) => {
    // Waits until the first statements of the transaction are in the log, then clears the log.
    await sql`select`.execute(scope.db);
    queries.length = 0;
    await work(scope);
    for (const { sql: text, parameters } of queries.splice(0)) {
      const isSetting = text.startsWith('select set_config');
      const explained = CompiledQuery.raw(isSetting ? text : `explain ${text}`, [...parameters]);
      const { rows } = await scope.db.executeQuery<Record<'QUERY PLAN', string>>(explained);
      if (!isSetting) lines.push(...rows.map((row) => row['QUERY PLAN']));
    }
  });
  return lines.join('\n');
};

const firstPage =
  (filter: StudyFilter, sort = byDate) =>
  (scope: Scope) =>
    studyIds(scope, filter, sort, { offset: 0, limit: 10 }, { total: 10_000, isMore: true });

const few = (filter: StudyFilter) => (scope: Scope) =>
  findStudies(scope, filter, byDate, { offset: 0, limit: 10 }, 1000);

test('a text search uses the trigram index for the page and for the count', async () => {
  const words = ['c4ca4238'];

  expect(await plansOf(few({ words }))).toContain('Bitmap Index Scan on studies_search');
  expect(await plansOf((scope) => countStudies(scope, { words }, 100))).toContain(
    'Bitmap Index Scan on studies_search',
  );
});

test('a text search without matches does not read the whole tenant', async () => {
  const plan = await plansOf(few({ words: ['yamulstein'] }));

  expect(plan).toContain('Bitmap Index Scan on studies_search');
});

test('a list by date reads one index, and only as far as the page needs', async () => {
  expect(await plansOf(firstPage({}))).toContain('Index Only Scan using studies_date');
  expect(await plansOf(firstPage({ from: '2026-01-01', to: '2026-11-30' }))).toContain(
    'Index Only Scan using studies_date',
  );
  expect(await plansOf(firstPage({ status: 'PENDING' }))).toMatch(/Index Only Scan using studies_(open|status)/);
});

test('finds studies from years ago by an index lookup, without reading later studies', async () => {
  const plan = await plansOf(firstPage({ from: '2022-05-05', to: '2022-05-05' }));

  expect(plan).toMatch(/Index Cond: .*study_date >= .*study_date < /);
});

test('a list of one modality reads only the index of modalities', async () => {
  const all = await plansOf(firstPage({ modality: 'MR' }));
  const pending = await plansOf(firstPage({ modality: 'MR', status: 'PENDING' }));

  expect(all).toContain('Index Only Scan using study_modalities_date');
  expect(pending).toContain('Index Only Scan using study_modalities_status');
  expect(`${all}\n${pending}`).not.toMatch(/Sort|Join|studies_/);
});

test('the studies of a patient, the latest arrivals and a list by name use their indexes', async () => {
  expect(await plansOf(firstPage({ patientId }))).toContain('studies_patient');
  expect(await plansOf(firstPage({}, { field: 'createdDate', direction: 'desc' }))).toContain('studies_created');
  expect(await plansOf(firstPage({}, { field: 'patientName', direction: 'asc' }))).toContain('studies_name');
});

test('every sort order reads an index in order, also with a filter', async () => {
  const indexes: Record<StudySort['field'], RegExp> = {
    studyDate: /studies_date/,
    patientName: /studies_name/,
    modality: /study_modalities_date/,
    status: /studies_status/,
    seriesCount: /study_modalities_series/,
    description: /studies_description/,
    priority: /studies_priority/,
    createdDate: /studies_created/,
    accessionNumber: /studies_accession/,
    patientId: /patients_\w+.* studies_patient/s,
    referringPhysicianName: /studies_referrer/,
    assignees: /study_assignments.*studies_date/s,
    dueDate: /studies_due.*studies_date/s,
    urgency: /studies_(reading_queue|date)/,
  };
  for (const field of studySortFields) {
    for (const direction of ['asc', 'desc'] as const) {
      const plan = await plansOf(firstPage({}, { field, direction }));
      const ofText = await plansOf(firstPage({ words: ['anna'] }, { field, direction }));

      expect(plan).toMatch(indexes[field]);
      expect(`${plan}\n${ofText}`).not.toMatch(/Seq Scan/);
      // These fields have few values, or values on few studies. Their lists are merged from one list for each value, so
      // a sort is expected.
      const isPutTogether = ['status', 'priority', 'assignees', 'dueDate'].includes(field);
      expect({ field, isWalked: isPutTogether || !/-> +Sort /.test(plan) }).toEqual({ field, isWalked: true });
    }
  }
});

test('a list by urgency reads the open studies by urgency, and the others by date', async () => {
  const urgent: StudySort = { field: 'urgency', direction: 'desc' };
  const pageAt = (filter: StudyFilter, offset: number) => (scope: Scope) =>
    studyIds(scope, filter, urgent, { offset, limit: 10 }, { total: 10_000, isMore: true });

  const first = await plansOf(pageAt({}, 0));
  const later = await plansOf(pageAt({}, 5000));
  const many = await plansOf(pageAt({ where: readConditions('modality.isNot:US') }, 0));

  expect(first).toContain('Index Scan using studies_reading_queue');
  expect(later).toContain('Index Only Scan using studies_date');
  expect(many).toContain('studies_reading_queue');
  expect(`${first}\n${later}\n${many}`).not.toMatch(/Seq Scan/);
});

test('conditions with few matches use their own indexes', async () => {
  const byCondition = (text: string) => plansOf((scope) => countStudies(scope, { where: readConditions(text) }, 1000));

  expect(await byCondition('device.is:CT 1')).toContain('studies_device');
  expect(await byCondition('bodyPart.is:KNEE')).toContain('series_body_part');
  expect(await byCondition('referringPhysician.is:moreau')).toContain('studies_folded_referrer');
  expect(await byCondition('priority.isNot:ROUTINE')).toContain('studies_priority');
  expect(await byCondition('assignee.is:me')).toContain('study_assignments');
  expect(await byCondition('due.overdue')).toContain('studies_due');
  expect(await byCondition('arrival.older:3')).toContain('studies_created');
  expect(await byCondition('studyDate.last:7')).toContain('studies_date');
});

test('a search with few matches uses the index of its filter, then sorts', async () => {
  const sort = { field: 'createdDate', direction: 'desc' } as const;

  const plan = await plansOf((scope) =>
    findStudies(scope, { words: ['c4ca4238'] }, sort, { offset: 0, limit: 10 }, 1000),
  );

  expect(plan).toContain('Bitmap Index Scan on studies_search');
  expect(plan).not.toContain('studies_created');
});

test('the list of a restricted user does not read the studies of other users', async () => {
  const referrer = { ...reader, userType: 'REFERRING_PHYSICIAN' as const };

  for (const field of studySortFields) {
    const plan = await plansOf(firstPage({}, { field, direction: 'asc' }), referrer);

    expect(plan).toContain('study_participants');
    expect(plan).not.toMatch(/(Seq Scan on|using) studies(?!_pkey)/);
  }
});

test('a list by date of a user limited to a large group reads one index, which tells the groups', async () => {
  const limited = { ...reader, studyGroups: [largeGroupId] };

  const plan = await plansOf(firstPage({ isOfFew: false }), limited);

  expect(plan).toContain('Index Only Scan using studies_date');
});

test('a text search of a user limited to a large group uses the trigram index only', async () => {
  const limited = { ...reader, studyGroups: [largeGroupId] };

  const plan = await plansOf(few({ words: ['c4ca4238'], isOfFew: false }), limited);

  expect(plan).toContain('Bitmap Index Scan on studies_search');
  expect(plan).not.toContain('studies_groups');
});

test('views use their own indexes, and assignees of a page are read by study ID', async () => {
  expect(await plansOf(firstPage({ view: 'UNASSIGNED' }))).toContain('studies_unassigned');
  expect(await plansOf(firstPage({ view: 'OVERDUE' }))).toContain('studies_due');
  expect(await plansOf(firstPage({ view: 'MINE' }))).not.toMatch(/Seq Scan on studies/);
});

test('a long list says that there are more studies, and its last page gives the exact number', async () => {
  const pageOf = (page: number) =>
    openScopes(database).inTenant(reader, (scope) =>
      list(scope, { page, size: 10, sort: byDate, view: 'ALL', status: undefined, modality: undefined }),
    );
  const all = patients * studiesEach + 1;

  expect(await pageOf(0)).toMatchObject({ totalElements: 10_000, totalPages: 1000, isTotalExact: false });
  expect(await pageOf(1200)).toMatchObject({ totalElements: 12_040, isTotalExact: false, number: 1200 });
  expect(await pageOf(1500)).toMatchObject({ totalElements: all, isTotalExact: true, content: [{}] });
  expect(await pageOf(1501)).toMatchObject({ totalElements: all, isTotalExact: true, content: [] });
});

test('reads the last page from the end of the index', async () => {
  const total = patients * studiesEach + 1;

  const plan = await plansOf((scope) =>
    studyIds(scope, {}, byDate, { offset: total - 5, limit: 10 }, { total, isMore: false }),
  );

  expect(plan).toMatch(/Limit .* rows=5 /);
  expect(plan).toContain('Index Only Scan Backward using studies_date');
});
