import { lockMinutes, wrongCodesAtMost } from '@radwork/contract/report-links';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import type { Scope } from '#core/scope.ts';
import { noteOpen } from '#features/sharing/link-opens.ts';

/** A day of birth is one of some ten thousand: with this many wrong ones in all, the link is closed for good. */
const wrongCodesInAll = 25;

/**
 * Takes one of the tries that a link has, before the code is looked at; false when there is none left for now. The fifth
 * locks the link, which a right code undoes. Counted in the link's row, so it holds over servers and restarts.
 */
export const allowTry = async ({ db }: Scope, linkId: string): Promise<boolean> => {
  const tried = await db
    .updateTable('report_links')
    .set({
      // Once a pause is over, the count begins anew.
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

/** A right code forgives the wrong ones before it. */
export const forgiveTries = async ({ db }: Scope, linkId: string): Promise<void> => {
  await db
    .updateTable('report_links')
    .set({ wrong_codes: 0, wrong_codes_in_all: 0, locked_until: null })
    .where('id', '=', linkId)
    .execute();
};

/** Writes a wrong code down, and closes a link at which somebody goes on guessing. */
export const noteWrongCode = async (scope: Scope, linkId: string): Promise<void> => {
  await noteOpen(scope, linkId, 'WRONG_CODE');
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

/** When the patient of a link's report was born, as it is on record now: "yyyy-MM-dd". */
export const birthDateBehind = async ({ db }: Scope, linkId: string): Promise<string | undefined> => {
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
