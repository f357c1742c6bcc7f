import { ages, birthToCome } from '@radwork/contract/imaging/patients';
import { sql } from 'kysely';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { PatientFilter } from './patient-keys.ts';

type Ages = { minAge?: number | undefined; maxAge?: number | undefined };

/**
 * Converts an age range in whole years to birth dates, by the calendar of the tenant. Uses fixed dates, because the
 * planner cannot estimate rows between dates relative to today. The full age range sets no limit. The highest age
 * includes everyone older.
 */
export const birthDaysOf = async (
  { db, session }: Scope,
  { minAge = ages.least, maxAge = ages.most }: Ages,
): Promise<Pick<PatientFilter, 'bornFrom' | 'bornTo'>> => {
  if (minAge === ages.least && maxAge === ages.most) return {};
  const { rows } = await sql<{ eldest: string; youngest: string }>`
    select (today - make_interval(years => ${maxAge + 1}))::date + 1 as eldest,
           (today - make_interval(years => ${minAge}))::date as youngest
    from (select (now() at time zone ${session.timeZone})::date as today) calendar`.execute(db);
  const [days] = rows;
  return { bornFrom: maxAge === ages.most ? undefined : days?.eldest, bornTo: days?.youngest };
};

/** Throws 422 for a birth date in the future, by the calendar of the tenant. The error names `field`. */
export const refuseBirthToCome = async (
  { db, session }: Scope,
  dateOfBirth: string,
  field = 'dateOfBirth',
): Promise<void> => {
  if (dateOfBirth === '') return;
  const { rows } = await sql`
    select where ${dateOfBirth}::date > (now() at time zone ${session.timeZone})::date`.execute(db);
  if (rows.length > 0) throw invalid({ [field]: birthToCome() });
};
