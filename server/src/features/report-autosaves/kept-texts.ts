import type { Scope } from '#core/scope.ts';

/** The kept texts of whoever calls; nobody sees those of another. */
export const ownTexts = ({ db, session }: Scope, studyId: string) =>
  db.selectFrom('report_autosaves').where('study_id', '=', studyId).where('writer_id', '=', session.userId);

/** The id of no text. */
const nobodys = '00000000-0000-0000-0000-000000000000';

type Saved = { content: string; keptTextId: string | undefined };

/**
 * Forgets the kept text that has been saved: the one that the writer names, and any that says the same. What was kept
 * meanwhile in another window stays.
 */
export const forgetSaved = async ({ db, session }: Scope, studyId: string, saved: Saved): Promise<void> => {
  await db
    .deleteFrom('report_autosaves')
    .where('study_id', '=', studyId)
    .where('writer_id', '=', session.userId)
    .where((text) => text.eb('content', '=', saved.content).or('id', '=', saved.keptTextId ?? nobodys))
    .execute();
};
