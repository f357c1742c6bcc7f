import { lockMinutes, wrongCodesAtMost } from '@radwork/contract/reading/sharing';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordOpen } from '#reading/sharing/link-opens.ts';

/**
 * Total number of wrong codes after which the link is revoked for good. A birth date can be guessed, because only about
 * ten thousand dates are likely.
 */
const wrongCodesInAll = 25;

/**
 * Counts a try before the code for a link is checked. Returns false while the link is locked or revoked. The fifth
 * wrong try in a row locks the link for some minutes. A right code sets the count back to zero. The count is in the row
 * of the link, so it survives restarts and all servers share it.
 */
export const countTry = async ({ db }: Scope, linkId: string): Promise<boolean> => {
  const tried = await db
    .updateTable('report_links')
    .set({
      // After a lock has ended, this try counts as the first.
      wrong_codes: sql`case when locked_until is null then wrong_codes + 1 else 1 end`,
      wrong_codes_in_all: sql`wrong_codes_in_all + 1`,
      locked_until: sql`case when locked_until is null and wrong_codes + 1 >= ${wrongCodesAtMost}
        then now() + make_interval(mins => ${lockMinutes}) end`,
    })
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(locked_until is null or locked_until <= now())`)
    .returning('id')
    .executeTakeFirst();
  return tried !== undefined;
};

/** Sets the counts of wrong codes back to zero after a right code. */
export const resetTries = async ({ db }: Scope, linkId: string): Promise<void> => {
  await db
    .updateTable('report_links')
    .set({ wrong_codes: 0, wrong_codes_in_all: 0, locked_until: null })
    .where('id', '=', linkId)
    .execute();
};

/** Logs a wrong code. Revokes the link when the total number of wrong codes is too high. */
export const recordWrongCode = async (scope: Scope, linkId: string): Promise<void> => {
  await recordOpen(scope, linkId, 'WRONG_CODE');
  const closed = await scope.db
    .updateTable('report_links')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .where('wrong_codes_in_all', '>=', wrongCodesInAll)
    .returning('id')
    .executeTakeFirst();
  const action = closed ? 'report_link.close' : 'report_link.refuse';
  await audit(scope, action, { entity: 'report_link', entityId: linkId, outcome: 'FAILURE' });
};

/** Returns the birth date of the patient in the current record: "yyyy-MM-dd". */
export const birthDateOfLink = async ({ db }: Scope, linkId: string): Promise<string | undefined> => {
  const patient = await db
    .selectFrom('report_links as l')
    .innerJoin('reports as r', 'r.id', 'l.report_id')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .select('p.date_of_birth')
    .where('l.id', '=', linkId)
    .executeTakeFirst();
  return patient?.date_of_birth ?? undefined;
};
