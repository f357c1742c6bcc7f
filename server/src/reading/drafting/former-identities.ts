import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';

const columns = ['patient_id', 'patient_name', 'date_of_birth', 'address', 'email', 'phone_number'] as const;

type Column = (typeof columns)[number];

/** Values that a patient record has now or had before. */
type RecordedIdentity = Partial<Record<Column, string | null>>;

/**
 * Returns the data of every patient record connected with a study: its patient, records merged into that patient, and
 * records from or to which the study was moved, even if undone. Also returns the values that merges have overwritten.
 */
export const identitiesOfStudy = async ({ db }: Scope, study: StoredStudy): Promise<RecordedIdentity[]> => {
  const { id, patient_id, named_patient_id } = study;
  const merges = await db
    .selectFrom('patient_merges')
    .select(['survivor_id', 'source_id', 'changes'])
    .where(
      sql<boolean>`(${id}::uuid = any(study_ids) or kind = 'MERGE' and ${patient_id}::uuid in (survivor_id, source_id))`,
    )
    .execute();
  const ids = [patient_id, named_patient_id ?? [], merges.map((one) => [one.survivor_id, one.source_id])].flat(2);
  const records = await db
    .selectFrom('patients')
    .select(columns)
    .where(sql<boolean>`(id = any(${[...new Set(ids)]}::uuid[]) or merged_into = ${patient_id})`)
    .execute();
  return [...records, ...merges.flatMap(({ changes }) => writtenOver(changes as Changes))];
};

type Changes = Partial<Record<Column, { before: string | null; after: string | null }>>;

/** Returns the values of the survivor before and after a merge. */
const writtenOver = (changes: Changes): RecordedIdentity[] =>
  (['before', 'after'] as const).map((when) =>
    Object.fromEntries(Object.entries(changes).map(([column, change]) => [column, change[when]])),
  );
