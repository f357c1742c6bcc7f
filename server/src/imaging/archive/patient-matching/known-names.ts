import { type RawBuilder, sql } from 'kysely';

/** SQL: birth and married names of a patient row, and names of the records merged into it. */
export const knownNamesSql = (patients: string): RawBuilder<string[]> =>
  sql`${sql.ref(`${patients}.known_names`)} || array(
    select merged.patient_name from patients merged where merged.merged_into = ${sql.ref(`${patients}.id`)})`;
