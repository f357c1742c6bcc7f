import { sentence } from '@radwork/contract/core/translate';
import { mentionsIn } from '@radwork/contract/reading/chat';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { whyNotInChat } from '#core/access/chat-access.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { userChatsAbout, userMayKnowStudySql } from '#core/access/study-access.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';
import { studyById } from '#imaging/studies/study-rows.ts';

type Person = { id: string; username: string; name: string; joinsByMention: boolean };

/**
 * Throws 404 when the caller may not see the study. Throws 403 when the caller sees it only as its referring or
 * ordering physician and was not invited to the chat.
 */
export const assertInChat = async (scope: Scope, studyId: string): Promise<void> => {
  await studyById(scope, studyId);
  const reason = await whyNotInChat(scope, studyId);
  if (reason !== null) throw new Problem(403, 'chat.not_invited', reason);
};

/**
 * Lists the users whom a message about this study may mention: active users who may use the chat and see the study.
 * Sorted by name, without the caller. Throws like `assertInChat`.
 */
export const participantsOfChat = async (scope: Scope, studyId: string): Promise<Person[]> => {
  await assertInChat(scope, studyId);
  return scope.db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name'])
    .select(sql<boolean>`not ${userChatsAbout(studyId)}`.as('joinsByMention'))
    .where('u.is_active', '=', true)
    .where('u.id', '<>', scope.session.userId)
    .where(
      sql<boolean>`exists (select from user_roles ur join roles ro on ro.id = ur.role_id
        where ur.user_id = u.id and 'chat.use' = any (ro.permissions))`,
    )
    .where(userMayKnowStudySql(studyId))
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();
};

/**
 * Adds the users whom a message mentions to the conversation, and notifies them. The notification does not contain the
 * text: recipients read the message in the chat, with their current rights.
 */
export const notifyMentioned = async (scope: Scope, studyId: string, text: string): Promise<void> => {
  if (!text.includes('@')) return;
  const people = await participantsOfChat(scope, studyId);
  const usernames = people.map(({ username }) => username);
  const mentionedNames = new Set(mentionsIn(text, usernames).map(({ username }) => username));
  const mentioned = people.filter(({ username }) => mentionedNames.has(username));
  for (const { id, joinsByMention } of mentioned) if (joinsByMention) await invite(scope, studyId, id);
  const { name, username } = scope.session;
  const { message, link } = await aboutStudy(scope, studyId);
  await notify(scope, {
    to: mentioned.map(({ id }) => id),
    type: 'MENTION',
    title: sentence`${name || username} mentioned you in the chat`,
    message,
    link: `${link}#chat`,
    studyId,
  });
  const to = mentioned.map(({ id }) => id);
  await reachOut(scope, { topic: 'MENTION', to, link: `/studies/${studyId}#chat`, studyId });
};

const invite = async (scope: Scope, studyId: string, userId: string): Promise<void> => {
  await scope.db
    .insertInto('chat_invitations')
    .values({ study_id: studyId, user_id: userId, invited_by: scope.session.userId })
    .execute();
  await audit(scope, 'chat.invite', { entity: 'study', entityId: studyId, studyId, detail: { invited: userId } });
  // Reloads the study page, which shows whether the user takes part in the conversation.
  await announce(scope, { kind: 'study', studyId }, [userId]);
};
