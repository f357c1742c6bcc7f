import { mainModality } from '@radwork/contract/core/modalities';
import { newUid } from '@radwork/dicom/uid';
import { hasTime } from '@radwork/dicom/dicom-date';
import { type Selectable, sql } from 'kysely';
import type { OrderJoins } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { columnsFilledByImages } from '#imaging/archive/index/note-join.ts';
import { modalitiesOf } from '#imaging/archive/index/update-studies.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import { noStudyDate, type StudyAttributes } from '#imaging/archive/header/study-attributes.ts';
import type { DescribedImages } from './describe-images.ts';
import { assignableTypes } from './open-assignments.ts';
import type { StoredStudy } from './study-rows.ts';

export type Join = Selectable<OrderJoins>;

/** Columns of a study that both files and users fill. */
const editable: readonly string[] = [
  'accession_number',
  'referring_physician_name',
  'referring_physician_phone',
  'order_number',
  'ordering_physician_name',
  'procedure_code',
  'procedure_description',
  'scheduled_at',
];

/**
 * Returns the UID of the order, or a new one if a study has taken that UID since: images that arrived under the UID of
 * the worklist became a study of their own.
 */
export const uidForOrder = async ({ db }: Scope, { ordered_uid }: Join): Promise<string> => {
  const other = await db
    .selectFrom('studies')
    .select('id')
    .where('study_instance_uid', '=', ordered_uid)
    .executeTakeFirst();
  return other ? newUid() : ordered_uid;
};

/** Restores the order as it was before the join, except values that users have entered since. */
export const restoreOrder = async (
  { db }: Scope,
  { id, study_id }: Join,
  uid: string,
  images: DescribedImages,
): Promise<void> => {
  const restored = columnsFilledByImages.map((column) => {
    const [stored, before] = [sql.ref(`s.${column}`), sql.ref(`b.${column}`)];
    if (!editable.includes(column)) return sql`${sql.ref(column)} = ${before}`;
    const type = sql.raw(column === 'scheduled_at' ? 'timestamp' : 'text');
    const ofFiles = images.valuesOf(column as keyof StudyAttributes);
    return sql`${sql.ref(column)} = case
      when coalesce(${before}::text, '') = '' and ${stored} = any(${ofFiles}::${type}[]) then ${before}
      else ${stored} end`;
  });
  const always = ['is_study_time_known', 'is_date_presumed', 'modality', 'modalities', 'created_at', 'status'];
  await sql`
    update studies s
    set ${sql.join([...restored, ...always.map((column) => sql`${sql.ref(column)} = ${sql.ref(`b.${column}`)}`)])},
      study_instance_uid = ${uid}, series_count = 0, instance_count = 0, identity_names = '',
      revision = s.revision + 1, content_revision = s.content_revision + 1, updated_at = now()
    from order_joins j cross join lateral jsonb_populate_record(null::studies, j.order_before) b
    where j.id = ${id} and s.id = ${study_id}`.execute(db);
};

/** Inserts the study of the images, without its series. It has waited to be read since the join. */
export const insertImagesStudy = async (
  { db }: Scope,
  filing: { id: string; patient_id: string; named_patient_id: string | null },
  order: StoredStudy,
  { attributes }: DescribedImages,
  { joined_at }: Join,
): Promise<void> => {
  const { study_date } = attributes;
  await db
    .insertInto('studies')
    .values({
      ...attributes,
      ...filing,
      study_date: study_date ?? noStudyDate,
      ...(study_date !== null && { is_study_time_known: hasTime(study_date) }),
      study_instance_uid: order.study_instance_uid,
      patient_name: order.patient_name,
      patient_identifier: order.patient_identifier,
      identity_names: order.identity_names,
      group_ids: order.group_ids,
      is_on_legal_hold: order.is_on_legal_hold,
      content_revision: order.content_revision + 1,
      created_at: joined_at,
    })
    .execute();
};

/** Tables with facts about files, by study. */
const tablesOfImages = [
  'series',
  'instances',
  'identity_questions',
  'header_differences',
  'patient_differences',
  'rejections',
  'rejected_images',
] as const;

/** Moves the series and all facts about the files from the order to the study of the images. */
export const moveImages = async (
  scope: Scope,
  { study_id: orderId, joined_at }: Join,
  imagesId: string,
  { modalities }: DescribedImages,
): Promise<void> => {
  const { db } = scope;
  // Rejected images belong to the other images, although readers see neither them nor their series.
  await withRejected(scope, async () => {
    for (const table of tablesOfImages)
      await sql`update ${sql.table(table)} set study_id = ${imagesId} where study_id = ${orderId}`.execute(db);
  });
  for (const column of ['from_study_id', 'to_study_id'] as const)
    await db
      .updateTable('series_moves')
      .set({ [column]: imagesId })
      .where(column, '=', orderId)
      .execute();
  // An undo of a merge since the join must move both studies back.
  await sql`
    update patient_merges set study_ids = array_append(study_ids, ${imagesId}::uuid)
    where ${orderId}::uuid = any(study_ids) and made_at >= ${joined_at}::timestamptz and undone_at is null`.execute(db);
  const bySeries = await modalitiesOf(scope, imagesId);
  await db
    .updateTable('studies')
    .set({
      modality: bySeries.modalities.length > 0 ? bySeries.modality : mainModality(modalities),
      modalities: [...new Set([...bySeries.modalities, ...modalities])],
      series_count: sql`(select count(*) from series where study_id = ${imagesId})`,
      instance_count: sql`(select count(*) from instances where study_id = ${imagesId})`,
    })
    .where('id', '=', imagesId)
    .execute();
};

/**
 * Moves assignments since the join to the study of the images. Restores the earlier ones at the order, unless their
 * users cannot be assigned now. Users with whom the study was shared since see both studies.
 */
export const divideAssignments = async (
  { db }: Scope,
  { id, study_id: orderId, joined_at, assignments_before }: Join,
  imagesId: string,
): Promise<void> => {
  const before = JSON.stringify(assignments_before);
  await sql`
    update study_assignments set study_id = ${imagesId}
    where study_id = ${orderId} and assigned_at >= ${joined_at}::timestamptz
      and id <> all(select (b->>'id')::uuid from jsonb_array_elements(${before}::jsonb) b)`.execute(db);
  await sql`
    update study_assignments a set status = 'ACTIVE', ended_at = null, due_at = b.due_at
    from order_joins j cross join lateral jsonb_to_recordset(j.assignments_before) b (id uuid, due_at timestamptz)
    where j.id = ${id} and a.id = b.id and a.study_id = ${orderId}
      and exists (select from users u where u.id = a.user_id and u.is_active and u.user_type = any(${assignableTypes}))
    `.execute(db);
  await sql`
    update group_assignments set study_id = ${imagesId}
    where study_id = ${orderId} and assigned_at >= ${joined_at}::timestamptz
      and id <> all(select (b->>'id')::uuid from jsonb_array_elements(${before}::jsonb) b)`.execute(db);
  await sql`
    update group_assignments a set status = 'ACTIVE', ended_at = null, due_at = b.due_at
    from order_joins j cross join lateral jsonb_to_recordset(j.assignments_before) b (id uuid, due_at timestamptz)
    where j.id = ${id} and a.id = b.id and a.study_id = ${orderId}`.execute(db);
  await sql`
    insert into study_participants (study_id, user_id, role)
    select ${imagesId}::uuid, user_id, role from study_participants
    where study_id = ${orderId} and role in ('ASSIGNEE', 'SHARED') and created_at >= ${joined_at}::timestamptz`.execute(
    db,
  );
  await sql`
    delete from study_participants p
    where study_id = ${orderId} and role = 'ASSIGNEE' and created_at >= ${joined_at}::timestamptz
      and not exists (select from study_assignments a
                      where a.study_id = p.study_id and a.user_id = p.user_id and a.status = 'ACTIVE')`.execute(db);
  await sql`
    insert into study_participants (study_id, user_id, role)
    select study_id, user_id, 'ASSIGNEE' from study_assignments
    where study_id in (${orderId}, ${imagesId}) and status = 'ACTIVE'
    on conflict do nothing`.execute(db);
  // The trigger on assignments does not count those that change their study.
  await sql`
    update studies s set active_assignments = active.count, due_at = active.due_at
    from (select of.id, count(a.id)::int as count, min(a.due_at) as due_at
          from unnest(array[${orderId}, ${imagesId}]::uuid[]) of (id)
          left join (
            select id, study_id, due_at from study_assignments where status = 'ACTIVE'
            union all
            select id, study_id, due_at from group_assignments where status = 'ACTIVE') a on a.study_id = of.id
          group by of.id) active
    where s.id = active.id`.execute(db);
};
