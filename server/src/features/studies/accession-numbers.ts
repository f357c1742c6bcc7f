import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { invalid } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';

/** Digits and letters that nobody takes for one another, on paper or over the telephone (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** With the letter before it short enough for DICOM's AccessionNumber, 16 characters (PS3.5 §6.2, SH). */
const length = 10;

/**
 * Whether a study has this number already. Two that ask for the same number take turns, so that the second sees what the
 * first did with it.
 */
const isTaken = async ({ db, session }: Scope, accessionNumber: string): Promise<boolean> => {
  const lock = `accession number ${session.tenantId} ${accessionNumber}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db);
  const other = await db
    .selectFrom('studies')
    .select('id')
    .where('accession_number', '=', accessionNumber)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
};

/** Throws at the field when another study has this number. */
export const refuseTakenAccessionNumber = async (scope: Scope, accessionNumber: string): Promise<void> => {
  if (await isTaken(scope, accessionNumber)) {
    throw invalid({ accessionNumber: 'Another study has this accession number' });
  }
};

/** A number that no study of the tenant has. It is drawn and not counted, so that nobody waits for anybody. */
export const newAccessionNumber = async (scope: Scope): Promise<string> => {
  const drawn = `R${Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
  return (await isTaken(scope, drawn)) ? newAccessionNumber(scope) : drawn;
};
