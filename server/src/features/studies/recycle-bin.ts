import type { StudyDetails } from '@radwork/contract/studies';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import { conflict } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import type { Sessions } from '#core/sessions.ts';
import { detailsOf } from './study-details.ts';
import { deletedStudyToChange, type StoredStudy, studyById, studyToChange } from './study-rows.ts';

const note = (scope: Scope, action: string, { id, patient_id }: StoredStudy) =>
  audit(scope, action, { entity: 'study', entityId: id, studyId: id, patientId: patient_id });

/**
 * Takes a study out of every list. Its images and rows stay for thirty days, until the archive's upkeep purges them;
 * a signed report or a legal hold keeps the study where it is (C21). Throws 409 then, in words.
 */
export const remove = async (scope: Scope, sessions: Sessions, id: string): Promise<void> => {
  // Not even until the database is heard saying so may this server show what is deleted.
  scope.afterCommit(() => sessions.forget());
  const study = await studyToChange(scope, id);
  await refuseToLose(scope, study);
  await scope.db
    .updateTable('studies')
    .set({ deleted_at: sql`now()`, revision: study.revision + 1 })
    .where('id', '=', id)
    .execute();
  await note(scope, 'study.delete', study);
};

const refuseToLose = async ({ db }: Scope, { id, is_on_legal_hold }: StoredStudy) => {
  if (is_on_legal_hold) {
    throw conflict('study.on_hold', 'This study is on legal hold and cannot be deleted. Archive it instead.');
  }
  const finalized = await db
    .selectFrom('reports')
    .select('id')
    .where('study_id', '=', id)
    .where('status', '=', 'FINALIZED')
    .executeTakeFirst();
  if (finalized) {
    throw conflict('study.has_report', 'This study has a finalized report and cannot be deleted. Archive it instead.');
  }
};

/** Brings a deleted study back with everything it had. Throws a 404 for one that is not in the recycle bin. */
export const restore = async (scope: Scope, id: string): Promise<StudyDetails> => {
  const study = await deletedStudyToChange(scope, id);
  await scope.db
    .updateTable('studies')
    .set({ deleted_at: null, revision: study.revision + 1, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  await note(scope, 'study.restore', study);
  return detailsOf(scope, await studyById(scope, id));
};
