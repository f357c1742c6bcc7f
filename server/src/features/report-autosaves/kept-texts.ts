import { sql } from 'kysely';
import type { Scope } from '#core/scope.ts';

/** The kept texts of whoever calls; nobody sees those of another. */
export const ownTexts = ({ db, session }: Scope, studyId: string) =>
  db.selectFrom('report_autosaves').where('study_id', '=', studyId).where('writer_id', '=', session.userId);

const blanks = ' \t\r\n';

/** The id of no text. */
const nobodys = '00000000-0000-0000-0000-000000000000';

type Saved = {
  content: string;
  has_critical_findings: boolean;
  critical_findings_details: string;
  keptTextId: string | undefined;
};

/**
 * Forgets the kept text that has been saved: the one that the writer names, and any that says the same and of critical
 * findings too. What was kept meanwhile in another window stays.
 */
export const forgetSaved = async ({ db, session }: Scope, studyId: string, saved: Saved): Promise<void> => {
  await db
    .deleteFrom('report_autosaves')
    .where('study_id', '=', studyId)
    .where('writer_id', '=', session.userId)
    .where((text) =>
      text.or([
        text('id', '=', saved.keptTextId ?? nobodys),
        text.and([
          text('content', '=', saved.content),
          text('has_critical_findings', '=', saved.has_critical_findings),
          // A saved text has no blanks around its details.
          sql<boolean>`btrim(critical_findings_details, ${blanks}) = ${saved.critical_findings_details}`,
        ]),
      ]),
    )
    .execute();
};
