import { identityOpenError, type IdentityField, type IdentityMark } from '@radwork/contract/identities';
import { displayName } from '@radwork/dicom/person-name';
import { type RawBuilder, sql } from 'kysely';
import { anyOf, type Ids, isNone } from '#core/any-of.ts';
import { prepared } from '#core/database.ts';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { mayKnowPatient } from '#core/study-access.ts';
import { refuseUnprintableStatement } from '#features/reports/printable-letters.ts';

/** The marks of those of these studies whose identity is open, by the study's id. */
export const identityMarksOf = async ({ db, session }: Scope, ids: Ids): Promise<Map<string, IdentityMark>> => {
  if (isNone(ids)) return new Map();
  const rows = await db
    .selectFrom('identity_questions as q')
    .innerJoin('patients as known', 'known.id', 'q.known_patient_id')
    .select(['q.study_id', 'q.contradictions', 'q.said_name', 'q.provisional_patient_id', 'known.patient_name'])
    .select(mayKnowPatient(session, 'known.id').as('knows'))
    .where('q.state', '=', 'OPEN')
    .where('q.study_id', '=', anyOf(ids))
    .modifyEnd(prepared)
    .execute();
  return new Map(
    rows.map((row) => {
      // The name that the study's own record lacks: a provisional record has the name of the files.
      const known = row.knows ? row.patient_name : '';
      const otherName = displayName(row.provisional_patient_id === null ? row.said_name : known);
      return [row.study_id, { otherName, contradictions: row.contradictions as IdentityField[] }];
    }),
  );
};

/** Whether it is open whose images a study has that is filed under the patient with the ID, given the column of its id. */
export const isMixedInPlace = (idColumn: string): RawBuilder<boolean> => sql`exists (
  select from identity_questions mixed
  where mixed.study_id = ${sql.ref(idColumn)} and mixed.state = 'OPEN' and mixed.provisional_patient_id is null)`;

/**
 * Refuses a signature while it is open whose images the study has, unless the reader states how the patient was identified: an
 * emergency does not wait for an office. Returns the statement that is stored; empty where none is needed. The caller holds the lock
 * of the study, which whoever opens or decides the question takes, too.
 */
export const requireIdentified = async (scope: Scope, studyId: string, statement = ''): Promise<string> => {
  const mark = (await identityMarksOf(scope, [studyId])).get(studyId);
  if (!mark) return '';
  if (statement !== '') {
    refuseUnprintableStatement(statement);
    return statement;
  }
  const words = 'Identity to be confirmed. Say how the patient was identified, or wait for the decision.';
  throw new Problem(409, identityOpenError, words, { fields: { identityStatement: words } });
};
