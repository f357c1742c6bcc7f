import { mentionsIn } from '@radwork/contract/chat';
import { sql } from 'kysely';
import { aboutStudy, notify } from '#core/notify.ts';
import type { Scope } from '#core/scope.ts';
import { studyById } from '#features/studies/study-rows.ts';

type Person = { id: string; username: string; name: string };

/**
 * Whom a message about this study may mention: active users who may use the chat and see the study, by name, without
 * the caller. Throws a 404 when the caller may not see it.
 */
export const peopleOf = async (scope: Scope, studyId: string): Promise<Person[]> => {
  await studyById(scope, studyId);
  return (
    scope.db
      .selectFrom('users as u')
      .select(['u.id', 'u.username', 'u.name'])
      .where('u.is_active', '=', true)
      .where('u.id', '<>', scope.session.userId)
      .where(
        sql<boolean>`exists (select from user_roles ur join roles ro on ro.id = ur.role_id
        where ur.user_id = u.id and 'chat.use' = any (ro.permissions))`,
      )
      // What core/study-access.ts asks of a caller, asked of each of them.
      .where('u.user_type', '<>', 'PATIENT')
      .where(
        sql<boolean>`(u.user_type <> 'REFERRING_PHYSICIAN'
        or exists (select from study_participants sp where sp.study_id = ${studyId} and sp.user_id = u.id))`,
      )
      .orderBy('u.name')
      .orderBy('u.id')
      .execute()
  );
};

/** Tells those whom a message mentions. What it says is read where it was said, with the rights of that moment. */
export const tellMentioned = async (scope: Scope, studyId: string, text: string): Promise<void> => {
  if (!text.includes('@')) return;
  const people = await peopleOf(scope, studyId);
  const mentions = mentionsIn(
    text,
    people.map(({ username }) => username),
  );
  const mentioned = new Set(mentions.map(({ username }) => username));
  const { name, username } = scope.session;
  const { message, link } = await aboutStudy(scope, studyId);
  await notify(scope, {
    to: people.filter((person) => mentioned.has(person.username)).map(({ id }) => id),
    type: 'MENTION',
    title: `${name || username} mentioned you in the chat`,
    message,
    link: `${link}#chat`,
  });
};
