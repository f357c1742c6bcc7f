import { t } from '@radwork/contract/core/translate';
import type { PatientMerge } from '@radwork/contract/imaging/patient-merges';
import { sql } from 'kysely';
import { emit } from '#core/events/emit.ts';
import { conflict } from '#core/http/problem.ts';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import type { Scope } from '#core/access/scope.ts';
import { reopenIdentities } from '#imaging/identity-marks/settle-identities.ts';
import { fileStudies } from './file-studies.ts';
import { lockRecords } from './lock-patients.ts';
import { type Changes, announcePatients } from './merge-patients.ts';
import { mergeById, toPatientMerge, whyNotUndone } from './merge-rows.ts';
import { patientById } from '#imaging/patient-records/patient-rows.ts';

type Merge = Awaited<ReturnType<typeof mergeById>>;

/**
 * Undoes a merge or a move within thirty days. The moved studies go back. So do studies that arrived later under the
 * IDs of the other record. Changed fields of the survivor get their old values back, unless they were corrected after
 * the merge. Closes share links created after it, because their recipients would read about another person.
 */
export const undo = async (scope: Scope, patientId: string, mergeId: string): Promise<PatientMerge> => {
  refuseLimited(scope.session);
  await patientById(scope, patientId);
  const mergeBefore = await mergeById(scope, patientId, mergeId);
  await lockRecords(scope, [mergeBefore.survivor_id, mergeBefore.source_id]);
  const merge = await mergeById(scope, patientId, mergeId);
  const reason = whyNotUndone(merge);
  if (reason) throw conflict('merge.not_undone', reason);
  const studyIds = merge.kind === 'MERGE' ? await undoMerge(scope, merge) : await undoMove(scope, merge);
  await reopenIdentities(scope, mergeId);
  await emit(scope, 'study.disowned', { studyIds, since: merge.made_at });
  await emit(scope, 'study.filedElsewhere', {
    studyIds,
    patientIds: [merge.survivor_id, merge.source_id],
    isSamePerson: false,
  });
  await scope.db
    .updateTable('patient_merges')
    .set({ undone_at: sql`now()`, undone_by: scope.session.userId || null })
    .where('id', '=', mergeId)
    .execute();
  const { survivor_id: survivorId, source_id: sourceId } = merge;
  await announcePatients(scope, 'patient.undo', { id: mergeId, survivorId, sourceId, studyIds });
  return toPatientMerge(await mergeById(scope, patientId, mergeId));
};

const undoMerge = async (scope: Scope, merge: Merge): Promise<string[]> => {
  const { survivor_id, source_id, identifier_ids, study_ids, made_at } = merge;
  await scope.db
    .updateTable('patients')
    .set({
      merged_into: sql`case when id = ${source_id} then null else ${source_id}::uuid end`,
      revision: sql`revision + 1`,
      updated_at: sql`now()`,
    })
    .where(sql<boolean>`id = any(${identifier_ids}::uuid[])`)
    .where('merged_into', '=', survivor_id)
    .execute();
  await giveBack(scope, merge);
  return fileStudies(
    scope,
    source_id,
    sql`patient_id = ${survivor_id} and (
      id = any(${study_ids}::uuid[])
      or named_patient_id = any(${identifier_ids}::uuid[]) and created_at >= ${made_at}::timestamptz)`,
  );
};

const undoMove = async (scope: Scope, { survivor_id, source_id, study_ids }: Merge): Promise<string[]> => {
  const back = await fileStudies(scope, source_id, sql`patient_id = ${survivor_id} and id = any(${study_ids}::uuid[])`);
  if (back.length === 0) throw conflict('merge.not_undone', t`The study no longer belongs to this patient.`);
  return back;
};

/** Restores the fields that a merge changed, except fields corrected after the merge. */
const giveBack = async ({ db }: Scope, { survivor_id, changes }: Merge) => {
  const columns = Object.entries(changes as Changes);
  const values = columns.map(
    ([column, { before, after }]) =>
      sql`${sql.ref(column)} = case when ${sql.ref(column)}::text is not distinct from ${after}::text
        then ${before}${sql.raw(column === 'date_of_birth' ? '::date' : '::text')} else ${sql.ref(column)} end`,
  );
  const revised = [...values, sql`revision = revision + 1`, sql`updated_at = now()`];
  await sql`update patients set ${sql.join(revised)} where id = ${survivor_id}`.execute(db);
};
