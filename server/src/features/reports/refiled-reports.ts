import { refiledError } from '@radwork/contract/report-forms';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { conflict, type Problem } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import type { StoredStudy } from '#features/studies/study-rows.ts';
import { tellOfRefiling } from './tell.ts';

type Filed = Pick<StoredStudy, 'patient_id' | 'patient_name' | 'patient_identifier'>;

/**
 * Refuses a text that was begun for the record of another patient than the one that its study, which the caller may know
 * and has locked, is filed under now. A merge counts as well, although it says that both records are of one person: that
 * is somebody else's judgement, it can be undone, and whoever wrote may know better.
 */
export const refuseRefiled = (study: Filed, begunFor: string): void => {
  if (study.patient_id !== begunFor) throw refiledTo(study, 'make sure that your text is about them');
};

/** Says whose a study is by now, and what to do about it. Whose it was is not said: the caller may not know them. */
export const refiledTo = ({ patient_name, patient_identifier }: Omit<Filed, 'patient_id'>, advice: string): Problem => {
  const whose = displayName(patient_name) || patient_identifier;
  return conflict(
    refiledError,
    `The study was filed under another patient: it is now of ${whose}. Nothing was saved; ${advice}.`,
  );
};

/**
 * Puts the reports of studies that have just been filed under another patient at a new revision, as far as they are not
 * signed, and tells their authors and reviewers: whoever has one open looks at it again before it is saved, approved or
 * signed.
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
  for (const report of revised) await tellOfRefiling(scope, report);
};

/** The drafts of addenda likewise: what was meant for the signed report of another patient is not signed unseen. */
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
