import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** Selects the caller's own autosaves of a study. Users do not see the autosaves of others. */
export const ownTexts = ({ db, session }: Scope, studyId: string) =>
  db.selectFrom('report_autosaves').where('study_id', '=', studyId).where('writer_id', '=', session.userId);

const blanks = ' \t\r\n';

/** An ID that no text has. */
const nobodys = '00000000-0000-0000-0000-000000000000';

type Saved = {
  content: string;
  has_critical_findings: boolean;
  critical_findings_details: string;
  keptTextId: string | undefined;
};

/**
 * Deletes autosaves whose text was saved: the named autosave, and any autosave with the same text and critical
 * findings. Other texts stay, such as that of another window.
 */
export const deleteSavedAutosaves = async ({ db, session }: Scope, studyId: string, saved: Saved): Promise<void> => {
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
          // Saved details have no white space at their ends.
          sql<boolean>`btrim(critical_findings_details, ${blanks}) = ${saved.critical_findings_details}`,
        ]),
      ]),
    )
    .execute();
};
