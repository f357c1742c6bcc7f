import type { IdentityField, IdentityMark } from '@radwork/contract/imaging/identities';
import { displayName } from '@radwork/dicom/person-name';
import { type RawBuilder, sql } from 'kysely';
import { anyOf, type Ids, isNone } from '#core/values/any-of.ts';
import { prepared } from '#core/database/database.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { containsFoldedText } from '#core/values/search-text.ts';
import { mayKnowPatient, mayKnowStudy } from '#core/access/study-access.ts';

/** Returns the marks of studies with an open identity question, by study id. */
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
      // For a study of a provisional record, the other name is the name of the patient with the same Patient ID.
      const known = row.knows ? row.patient_name : '';
      const otherName = displayName(row.provisional_patient_id === null ? row.said_name : known);
      return [row.study_id, { otherName, contradictions: row.contradictions as IdentityField[] }];
    }),
  );
};

/** A mark as one JSON value of a query. `said` is the other name, which is not in the patient record of the study. */
export type StoredMark = { said: string; contradictions: IdentityField[] };

/**
 * SQL: the other name of a study in question `q`, which is not in its patient record. `known` is the patient with the
 * same Patient ID. Empty if the caller may not know that patient.
 */
const otherName = (session: Session): RawBuilder<string> => sql`
  case when q.provisional_patient_id is null then q.said_name
       when ${mayKnowPatient(session, 'known.id')} then known.patient_name else '' end`;

/** SQL: whether the caller may read the other name, given the column of the study id. */
export const mayReadOtherName = (session: Session, idColumn: string): RawBuilder<boolean> => sql`exists (
  select from identity_questions q
  where q.study_id = ${sql.ref(idColumn)} and q.state = 'OPEN'
    and (q.provisional_patient_id is null or ${mayKnowPatient(session, 'q.known_patient_id')}))`;

const openQuestions = sql`
  from identity_questions q
  join studies asked on asked.id = q.study_id and asked.deleted_at is null
  join patients known on known.id = q.known_patient_id`;

/** SQL: the mark of a study, given the column of its id. Null if the study has no open question. */
export const markOfStudy = (session: Session, idColumn: string): RawBuilder<StoredMark | null> => sql`(
  select json_build_object('said', ${otherName(session)}, 'contradictions', q.contradictions)
  ${openQuestions} where q.state = 'OPEN' and q.study_id = ${sql.ref(idColumn)})`;

/** SQL: the mark of a patient, given the column of its id. Uses the question that has been open longest. */
export const markOfPatient = (session: Session, idColumn: string): RawBuilder<StoredMark | null> => sql`(
  select json_build_object('said', ${otherName(session)}, 'contradictions', q.contradictions)
  ${openQuestions}
  where q.state = 'OPEN' and asked.patient_id = ${sql.ref(idColumn)} and ${mayKnowStudy(session, 'asked.id')}
  order by q.opened_at, q.id limit 1)`;

export const toMark = (stored: StoredMark | null): IdentityMark | null =>
  stored && { otherName: displayName(stored.said), contradictions: stored.contradictions };

/** Returns the patients with an open identity question whose two names together contain all these words. */
export const patientsInQuestion = async ({ db, session }: Scope, words: readonly string[]): Promise<string[]> => {
  if (words.length === 0) return [];
  const conditions = sql.join(
    words.map((word) => containsFoldedText('named.words', word)),
    sql` and `,
  );
  const { rows } = await sql<{ id: string }>`
    select distinct named.id from (
      select own.id, fold_text(translate(
        concat_ws(' ', own.patient_name, own.patient_id, ${otherName(session)}), '^=', '  ')) as words
      ${openQuestions} join patients own on own.id = asked.patient_id
      where q.state = 'OPEN' and ${mayKnowStudy(session, 'asked.id')}) named
    where ${conditions}`.execute(db);
  return rows.map(({ id }) => id);
};

/**
 * SQL: whether a study has an open question and is filed under the patient with the same Patient ID. Takes the column
 * of the study id.
 */
const isMixedInPlace = (idColumn: string): RawBuilder<boolean> => sql`exists (
  select from identity_questions mixed
  where mixed.study_id = ${sql.ref(idColumn)} and mixed.state = 'OPEN' and mixed.provisional_patient_id is null)`;

/**
 * SQL: whether a study `s` may be compared with another study of its patient. False if one of the two may show another
 * person.
 */
export const isComparable = (studyId: string): RawBuilder<boolean> => sql`(
  not ${isMixedInPlace('s.id')}
  and not exists (select from studies asked where asked.id = ${studyId} and ${isMixedInPlace('asked.id')}))`;
