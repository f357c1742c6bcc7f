import { readConditions } from '@radwork/contract/imaging/study-conditions';
import { studySortFields } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { createWorld } from '#test/world.ts';
import type { StudyFilter } from './study-filter.ts';
import { findStudies, studyIds } from './study-keys.ts';
import { countStudies } from './study-sources.ts';

const world = await createWorld();
const radiologist = await world.signIn();
const { tenant, userId } = radiologist;
const { userId: colleagueId } = await world.signIn('RADIOLOGIST', tenant);

/** Many studies share each single sort value, but no two studies share all of them. */
await sql`
  insert into patients (tenant_id, id, patient_id, patient_name)
  select ${sql.lit(tenant.id)}, gen_random_uuid(), 'P' || p % 7, (array['Abel', 'Berg', 'Chen'])[1 + p % 3] || '^' || p
  from generate_series(0, 6) p`.execute(world.owner);
await sql`
  insert into studies (tenant_id, id, patient_id, study_instance_uid, study_date, accession_number, study_description,
                       description, modality, modalities, status, priority, series_count, created_at, deleted_at,
                       patient_name, patient_identifier, referring_physician_name, equipment_name)
  select tenant_id, gen_random_uuid(), p.id, '1.2.' || n, date '2026-11-01' + n % 9, 'A' || n % 5, 'Scan ' || n % 4,
         (array['', 'Knee', 'Hip'])[1 + n % 3], (array['CT', 'MR', 'CR', 'DX'])[1 + n % 4],
         case when n % 10 = 0 then '{}' when n % 3 = 0 then (array['{CT,SR}', '{MR,CT}', '{CR}', '{DX,CR}'])[1 + n % 4]
              else (array['{CT}', '{MR}', '{CR}', '{DX}'])[1 + n % 4] end::text[],
         (array['PENDING', 'ASSIGNED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'ARCHIVED'])[1 + n % 6],
         (array['ROUTINE', 'URGENT', 'STAT'])[1 + n % 3], n % 4, now() - n % 6 * interval '1 day',
         case when n % 11 = 0 then now() end, patient_name, patient_id,
         (array['', 'Moreau^Claire', 'Osei^Kwame'])[1 + n % 3],
         'CT ' || n % 5
  from generate_series(1, 200) n join patients p on p.tenant_id = ${sql.lit(tenant.id)} and patient_id = 'P' || n % 7
`.execute(world.owner);
await sql`
  insert into study_assignments (tenant_id, id, study_id, user_id, assigned_by, due_at)
  select tenant_id, gen_random_uuid(), id, case when series_count % 2 = 0 then ${userId}::uuid else ${colleagueId}::uuid end,
         ${userId}, now() + interval '2 days' - series_count * interval '1 day'
  from studies where tenant_id = ${sql.lit(tenant.id)} and status in ('ASSIGNED', 'IN_PROGRESS')`.execute(world.owner);

await sql`
  insert into series (tenant_id, id, study_id, series_instance_uid, modality, body_part_examined)
  select tenant_id, gen_random_uuid(), id, study_instance_uid || '.1', modality,
         case when series_count = 1 then 'CHEST' else '' end
  from studies where tenant_id = ${sql.lit(tenant.id)}`.execute(world.owner);

const filters: Record<string, StudyFilter> = {
  all: {},
  status: { status: 'COMPLETED' },
  modality: { modality: 'CT' },
  'plain films': { modality: 'XR' },
  'modality and status': { modality: 'CT', status: 'PENDING' },
  days: { from: '2026-11-02', to: '2026-11-05' },
  'days, modality': { from: '2026-11-03', modality: 'MR' },
  text: { words: ['berg'] },
  'text, modality, status': { words: ['e'], modality: 'CR', status: 'IN_PROGRESS' },
  mine: { view: 'MINE' },
  unassigned: { view: 'UNASSIGNED', modality: 'CT' },
  overdue: { view: 'OVERDUE' },
  'several modalities': { modalities: ['CT', 'XR'] },
  ...Object.fromEntries(
    [
      'modality.isNot:CT',
      'modality.is:CT,MR;status.is:PENDING,COMPLETED',
      'priority.isNot:ROUTINE',
      'assignee.is:me',
      `assignee.isNot:${colleagueId}`,
      'assignee.empty;report.empty',
      'assignee.present',
      'bodyPart.is:CHEST',
      'bodyPart.isNot:CHEST',
      'device.is:CT 1',
      'referringPhysician.is:osei',
      'referringPhysician.isNot:moreau',
      'studyDate.older:1',
      'arrival.last:3',
      'due.overdue',
      'due.within:48',
    ].map((text) => [text, { where: readConditions(text) }]),
  ),
};

test('for every sort order and filter, sorting the matches gives the same page as reading an index in order', async () => {
  const different: string[] = [];
  await radiologist.inScope(async (scope) => {
    for (const [name, filter] of Object.entries(filters)) {
      const { total } = await countStudies(scope, filter, 1000);
      for (const field of studySortFields) {
        for (const direction of ['asc', 'desc'] as const) {
          const args = [scope, filter, { field, direction }, { offset: 3, limit: 7 }] as const;
          const sorted = await studyIds(...args, { total, isMore: false });
          const walkedIds = await studyIds(...args, { total, isMore: true });
          const reference = await findStudies(...args, 1000);
          if (sorted.join() !== walkedIds.join() || reference.ids.join() !== walkedIds.join())
            different.push(`${name} by ${field},${direction}`);
        }
      }
    }
  });

  expect(different).toEqual([]);
});

test('a user who is limited to groups gets the pages of these groups, whether they have few studies or many', async () => {
  const groupId = newId();
  await sql`update studies set group_ids = array[${sql.lit(groupId)}::uuid]
    where tenant_id = ${sql.lit(tenant.id)} and hashtext(id::text) % 3 <> 0`.execute(world.owner);
  const everything = { offset: 0, limit: 1000 };
  const orders = studySortFields.flatMap((field) =>
    (['asc', 'desc'] as const).map((direction) => ({ field, direction })),
  );
  const expected = new Map<string, string[]>();
  const session = await radiologist.inScope(async (scope) => {
    const { rows } = await sql<{ id: string }>`
      select id from studies where ${sql.lit(groupId)}::uuid = any(group_ids)`.execute(scope.db);
    const visible = new Set(rows.map(({ id }) => id));
    for (const [name, filter] of Object.entries(filters)) {
      for (const sort of orders) {
        const { ids } = await findStudies(scope, filter, sort, everything, 1000);
        expected.set(
          `${name} ${sort.field} ${sort.direction}`,
          ids.filter((id) => visible.has(id)),
        );
      }
    }
    return scope.session;
  });

  const different: string[] = [];
  await world.context.scopes.inTenant({ ...session, studyGroups: [groupId] }, async (scope) => {
    for (const [name, filter] of Object.entries(filters)) {
      for (const sort of orders) {
        const all = expected.get(`${name} ${sort.field} ${sort.direction}`) ?? [];
        for (const isOfFew of [true, false]) {
          const limited = { ...filter, isOfFew };
          const found = await findStudies(scope, limited, sort, { offset: 3, limit: 7 }, 1000);
          const walkedIds = await studyIds(
            scope,
            limited,
            sort,
            { offset: 3, limit: 7 },
            { total: 1000, isMore: true },
          );
          const isSame = [found.ids, walkedIds].every((ids) => ids.join() === all.slice(3, 10).join());
          if (!isSame || found.total !== all.length)
            different.push(`${name} by ${sort.field},${sort.direction}, ${isOfFew}`);
        }
      }
    }
  });

  expect(expected.get('all studyDate asc')?.length).toBeGreaterThan(100);
  expect(different).toEqual([]);
});

test('each sort order lists every study once', async () => {
  await radiologist.inScope(async (scope) => {
    const count = await countStudies(scope, {}, 1000);

    for (const field of studySortFields) {
      const ids: string[] = [];
      for (let offset = 0; offset < count.total; offset += 50) {
        ids.push(...(await studyIds(scope, {}, { field, direction: 'asc' }, { offset, limit: 50 }, count)));
      }
      expect({ field, found: ids.length, different: new Set(ids).size }).toEqual({
        field,
        found: count.total,
        different: count.total,
      });
    }
    expect(count).toEqual({ total: 200 - 18, isMore: false });
  });
});

test('a count that stops at its limit is marked as incomplete', async () => {
  await radiologist.inScope(async (scope) => {
    expect(await countStudies(scope, {}, 100)).toEqual({ total: 100, isMore: true });
    expect(await countStudies(scope, {}, 182)).toEqual({ total: 182, isMore: false });
  });
});
