import { sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import { tellOfRefiling } from './tell.ts';

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
