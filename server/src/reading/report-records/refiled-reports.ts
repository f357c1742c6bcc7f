import { t } from '@radwork/contract/core/translate';
import { refiledError } from '@radwork/contract/reading/report-forms';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { conflict, type Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { notifyOfRefiling } from './announce-report.ts';

type FiledStudy = Pick<StoredStudy, 'patient_id' | 'patient_name' | 'patient_identifier'>;

/**
 * Refuses a text that was begun for another patient record than the one under which its study is filed now. This also
 * applies after a merge. A merge says that both records are of one person, but it was the decision of another user. It
 * can be undone, and the writer may know better. The caller must have locked the study and may know of it.
 */
export const refuseRefiled = (study: FiledStudy, begunFor: string): void => {
  if (study.patient_id !== begunFor) throw refiledTo(study, t`Check that your text is about this patient.`);
};

/**
 * Returns a 409 that says under which patient the study is now filed, and what to do. It does not name the previous
 * patient, of whom the caller may not know.
 */
export const refiledTo = (
  { patient_name, patient_identifier }: Omit<FiledStudy, 'patient_id'>,
  advice: string,
): Problem => {
  const whose = displayName(patient_name) || patient_identifier;
  return conflict(
    refiledError,
    t`The study was moved to another patient. It now belongs to ${whose}. Nothing was saved. ${advice}`,
  );
};

/**
 * Gives the unsigned reports of studies that were moved to another patient a new revision, and notifies authors and
 * reviewers. Users who have such a report open must look at it again before they save, approve or sign it.
 */
export const reviseUnsigned = async (scope: Scope, studyIds: readonly string[]): Promise<void> => {
  const revised = await scope.db
    .updateTable('reports')
    .set({ revision: sql`revision + 1`, refiled_at: sql`now()`, updated_at: sql`now()` })
    .where('study_id', '=', sql<string>`any(${studyIds}::uuid[])`)
    .where('status', '!=', 'FINALIZED')
    .returning(['study_id', 'author_id', 'reviewer_id'])
    .execute();
  await reviseAddenda(scope, studyIds);
  for (const report of revised) await notifyOfRefiling(scope, report);
};

/** Drafts of addenda get a new revision too, so that none is signed for another patient by mistake. */
const reviseAddenda = async ({ db }: Scope, studyIds: readonly string[]): Promise<void> => {
  await db
    .updateTable('report_addenda as a')
    .from('reports as r')
    .set({ revision: sql`a.revision + 1`, updated_at: sql`now()` })
    .whereRef('r.id', '=', 'a.report_id')
    .where('r.study_id', '=', sql<string>`any(${studyIds}::uuid[])`)
    .where('a.finalized_at', 'is', null)
    .execute();
};
