import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { studyAttributes } from '#imaging/archive/header/study-attributes.ts';

/** Columns of an order that its images fill or replace. */
export const columnsFilledByImages = Object.keys(studyAttributes({}));

/** Columns of an order that its images change, and its status. */
const columnsBefore = [
  ...columnsFilledByImages,
  'is_study_time_known',
  'is_date_presumed',
  'modality',
  'modalities',
  'created_at',
  'status',
];

type Join = { orderId: string; orderedUid: string; studyInstanceUID: string; issuer: string };

/** Stores the order as it was, so that a user can separate the images again. Call it before the images fill the order. */
export const noteJoin = async (
  { db }: Scope,
  { orderId, orderedUid, studyInstanceUID, issuer }: Join,
): Promise<void> => {
  await sql`
    insert into order_joins (id, study_id, ordered_uid, study_instance_uid, issuer, order_before, assignments_before)
    select ${newId()}, s.id, ${orderedUid}, ${studyInstanceUID}, ${issuer},
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(s)) where key = any(${columnsBefore}::text[])),
      coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'due_at', a.due_at)) from (
        select id, study_id, due_at from study_assignments where status = 'ACTIVE'
        union all
        select id, study_id, due_at from group_assignments where status = 'ACTIVE') a
        where a.study_id = s.id), '[]')
    from studies s where s.id = ${orderId}`.execute(db);
};
