import { t } from '@radwork/contract/core/translate';
import type { Scope } from './scope.ts';
import { chatsAboutAllStudies, mayChatAbout } from './study-access.ts';

/** Returns the reason why the caller, who sees a study, may not chat about it. Returns null if the caller may chat. */
export const whyNotInChat = async ({ db, session }: Scope, studyId: string): Promise<string | null> => {
  if (chatsAboutAllStudies(session)) return null;
  const known = await db
    .selectFrom('studies as s')
    .select('s.id')
    .where('s.id', '=', studyId)
    .where(mayChatAbout(session, 's.id'))
    .executeTakeFirst();
  return known ? null : t`You can join this conversation after a participant mentions you`;
};
