import { type RawBuilder, sql } from 'kysely';

/** Birth and married names of the patient of a row, and the names of records that were merged into it. */
export const knownNamesOf = (patients: string): RawBuilder<string[]> =>
  sql`${sql.ref(`${patients}.known_names`)} || array(
    select merged.patient_name from patients merged where merged.merged_into = ${sql.ref(`${patients}.id`)})`;
