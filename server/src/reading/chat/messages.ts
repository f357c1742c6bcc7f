import { type ChatMessage, deletedMessageText } from '@radwork/contract/reading/chat';
import { sql } from 'kysely';
import { prepared } from '#core/database/database.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayChatAbout } from '#core/access/study-access.ts';

/** Selects messages, and whether each was deleted. The caller must first check the access to the study. */
export const storedMessages = ({ db }: Scope) =>
  db
    .selectFrom('chat_messages as m')
    .leftJoin('chat_deletions as d', 'd.message_id', 'm.id')
    .select(['m.id', 'm.number', 'm.study_id', 'm.user_id', 'm.username', 'm.name', 'm.text', 'm.created_at'])
    .select(sql<boolean>`d.message_id is not null`.as('is_deleted'));

export type StoredMessage = Awaited<ReturnType<ReturnType<typeof storedMessages>['executeTakeFirstOrThrow']>>;

/** Returns the message with this id. Throws 404 when the caller may not see its conversation. */
export const messageById = async (scope: Scope, id: string): Promise<StoredMessage> => {
  const known = storedMessages(scope)
    .innerJoin('studies as s', 's.id', 'm.study_id')
    .where('s.deleted_at', 'is', null)
    .where(mayChatAbout(scope.session, 's.id'));
  return orNotFound(await known.where('m.id', '=', id).executeTakeFirst(), 'message');
};

/** Converts a message for display. The text of a deleted message never leaves the server. */
export const toMessage = ({ session }: Pick<Scope, 'session'>, message: StoredMessage): ChatMessage => ({
  id: message.id,
  username: message.username,
  name: message.name,
  text: message.is_deleted ? deletedMessageText() : message.text,
  createdAt: message.created_at,
  isMine: message.user_id === session.userId,
  isDeleted: message.is_deleted,
});

/** Returns the position of a message in its conversation. Throws 404 for a message of another conversation. */
export const numberOf = async ({ db }: Scope, studyId: string, messageId: string): Promise<number> => {
  const message = await db
    .selectFrom('chat_messages')
    .select('number')
    .where('id', '=', messageId)
    .where('study_id', '=', studyId)
    .executeTakeFirst();
  return orNotFound(message, 'message').number;
};

/** Counts the messages of other users after the last one that the caller has read. Leaves out deleted messages. */
export const unreadIn = async ({ db, session }: Scope, studyId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('chat_messages as m')
    .leftJoin('chat_deletions as d', 'd.message_id', 'm.id')
    .leftJoin('chat_reads as r', (join) =>
      join.onRef('r.study_id', '=', 'm.study_id').on('r.user_id', '=', session.userId),
    )
    .select(sql<number>`count(*)`.as('count'))
    .where('m.study_id', '=', studyId)
    .where('m.user_id', '<>', session.userId)
    .where('d.message_id', 'is', null)
    .where(sql<boolean>`m.number > coalesce(r.last_number, 0)`)
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  return count;
};

const mostDeletions = 100;

/** Returns the ids of the messages that were deleted last. */
export const lateDeletions = async ({ db }: Scope, studyId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('chat_deletions')
    .select('message_id')
    .where('study_id', '=', studyId)
    .orderBy('deleted_at', 'desc')
    .limit(mostDeletions)
    .modifyEnd(prepared)
    .execute();
  return rows.map((row) => row.message_id);
};
