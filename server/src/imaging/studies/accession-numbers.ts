import { t } from '@radwork/contract/core/translate';
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { conflict, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { lockAccessionNumbers } from '#imaging/archive/index/lock-accession-numbers.ts';
import type { StoredStudy } from './study-rows.ts';

/** Digits and letters that are hard to confuse on paper or on the telephone (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A number and its prefix fit into the 16 characters of DICOM's AccessionNumber (PS3.5 §6.2, SH). */
const length = 10;

/** Returns whether a study has this accession number. Also asks about studies that are hidden from the caller. */
const isTaken = async (scope: Scope, accessionNumber: string): Promise<boolean> => {
  await lockAccessionNumbers(scope, [accessionNumber]);
  const { rows } = await sql<{ isTaken: boolean }>`
    select is_accession_number_taken(${accessionNumber}) as "isTaken"`.execute(scope.db);
  return rows[0]?.isTaken ?? false;
};

/** Throws 422 at the field when another study has this number. */
export const refuseTakenAccessionNumber = async (scope: Scope, accessionNumber: string): Promise<void> => {
  if (await isTaken(scope, accessionNumber)) {
    throw invalid({ accessionNumber: t`Another study has this accession number` });
  }
};

/**
 * SQL condition for a row "s" of studies: a user registered the study or changed its accession number after a given
 * time.
 */
const isNumberedSince = (moment: string | null) => sql<boolean>`exists (
  select from audit_entries e
  where e.study_id = s.id and e.created_at >= ${moment}::timestamptz
    and (e.action = 'study.create' or e.action = 'study.update' and e.detail->>'fields' like '%accession_number%'))`;

/**
 * Throws 409 when a user has given the number of a deleted study to another study after the deletion. Numbers from
 * files do not count, because studies of one order share a number.
 */
export const refuseReassignedNumber = async (
  scope: Scope,
  { accession_number, deleted_at }: Pick<StoredStudy, 'accession_number' | 'deleted_at'>,
): Promise<void> => {
  if (!accession_number) return;
  await lockAccessionNumbers(scope, [accession_number]);
  const other = await scope.db
    .selectFrom('studies as s')
    .select('s.id')
    .where('s.accession_number', '=', accession_number)
    .where('s.deleted_at', 'is', null)
    .where(isNumberedSince(deleted_at))
    .executeTakeFirst();
  if (!other) return;
  throw conflict(
    'study.accession_number_taken',
    t`Another study now has accession number ${accession_number}. Change the number of that study first.`,
  );
};

/**
 * Returns an unused accession number of the tenant. It is drawn at random, so that callers need not wait for each
 * other.
 */
export const newAccessionNumber = async (scope: Scope): Promise<string> => {
  const candidate = `R${Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
  return (await isTaken(scope, candidate)) ? newAccessionNumber(scope) : candidate;
};
