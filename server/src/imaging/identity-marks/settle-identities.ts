import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** A merge or a move: the target patient, the source patient and, for a move, the study. */
type Refiling = { mergeId: string; survivorId: string; sourceId: string; movedStudyId?: string };

/**
 * Closes the questions that a merge or a move answers. If a provisional patient is merged with the patient who has the
 * same Patient ID, both are the same person. If it is merged with another patient, or its study is moved to another
 * patient, the images are of another person. Merging whole patients does not answer questions about studies that are
 * not filed under a provisional patient.
 */
export const closeIdentityQuestions = async (
  scope: Scope,
  { mergeId, survivorId, sourceId, movedStudyId }: Refiling,
): Promise<void> => {
  const { db, session } = scope;
  // The patient with the same Patient ID may have been merged into another record after the question was opened.
  const known = sql`(select coalesce(k.merged_into, k.id) from patients k where k.id = q.known_patient_id)`;
  const isSame = sql`(${known} = ${survivorId}::uuid or q.known_patient_id = ${sourceId}::uuid)`;
  const which =
    movedStudyId === undefined
      ? sql`(q.provisional_patient_id = ${sourceId}::uuid
          or q.provisional_patient_id = ${survivorId}::uuid and q.known_patient_id = ${sourceId}::uuid)`
      : sql`q.study_id = ${movedStudyId}::uuid`;
  const same = movedStudyId === undefined ? isSame : sql`${known} = ${survivorId}::uuid`;
  const { rows } = await sql<{ study_id: string }>`
    update identity_questions q
    set state = case when ${same} then 'SAME_PERSON' else 'ANOTHER_PERSON' end, merge_id = ${mergeId}::uuid,
        decided_at = now(), decided_by = ${session.userId || null}::uuid
    where q.state = 'OPEN' and ${which}
    returning study_id`.execute(db);
  await clearOtherNames(
    scope,
    rows.map((row) => row.study_id),
  );
};

/** Opens the questions again that an undone merge or move had answered. */
export const reopenIdentities = async (scope: Scope, mergeId: string): Promise<void> => {
  const { rows } = await sql<{ study_id: string }>`
    update identity_questions q set state = 'OPEN', merge_id = null, decided_at = null, decided_by = null
    where q.merge_id = ${mergeId}::uuid and not exists (
      select from identity_questions other where other.study_id = q.study_id and other.state = 'OPEN')
    returning study_id`.execute(scope.db);
  await rememberNames(
    scope,
    rows.map((row) => row.study_id),
  );
};

/**
 * Removes the other name from studies whose question is closed. Searches then find these studies only by the name of
 * their patient.
 */
export const clearOtherNames = async ({ db }: Scope, studyIds: readonly string[]): Promise<void> => {
  await sql`
    update studies set identity_names = '', updated_at = now() where id = any(${studyIds}::uuid[])`.execute(db);
};

export const rememberNames = async ({ db }: Scope, studyIds: readonly string[]): Promise<void> => {
  await sql`
    update studies s
    set updated_at = now(),
        identity_names = case when q.provisional_patient_id is null then q.said_name else known.patient_name end
    from identity_questions q join patients known on known.id = q.known_patient_id
    where q.study_id = s.id and q.state = 'OPEN' and s.id = any(${studyIds}::uuid[])`.execute(db);
};
