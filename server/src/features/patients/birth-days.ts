import { ages, birthToCome } from '@radwork/contract/patients';
import { sql } from 'kysely';
import { invalid } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import type { PatientFilter } from './patient-keys.ts';

type Ages = { minAge?: number | undefined; maxAge?: number | undefined };

/**
 * The days of birth of people between two ages in whole years, as the calendar is where the tenant is. Asked for as
 * days, since the planner knows how many patients were born between two days, and not what today is. All ages are no
 * limit at all, and the highest one is that age and over (C55).
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

/** Throws a 422 at a field for a date of birth, if there is one, that is still to come where the tenant is. */
export const refuseBirthToCome = async (
  { db, session }: Scope,
  dateOfBirth: string,
  field = 'dateOfBirth',
): Promise<void> => {
  if (dateOfBirth === '') return;
  const { rows } = await sql`
    select where ${dateOfBirth}::date > (now() at time zone ${session.timeZone})::date`.execute(db);
  if (rows.length > 0) throw invalid({ [field]: birthToCome });
};
