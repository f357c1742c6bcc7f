import { t } from '@radwork/contract/core/translate';
import type { chat, ChatMessage } from '@radwork/contract/reading/chat';
import type { Body, Query, Reply } from '@radwork/contract/core/endpoint';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { prepared } from '#core/database/database.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, forbidden } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { lateDeletions, messageById, numberOf, storedMessages, toMessage, unreadIn } from './messages.ts';
import { assertInChat, notifyMentioned } from './participants.ts';

type SentMessage = Body<typeof chat.send>;

/** Returns a page of a study's messages, newest first. Throws like `assertInChat`. */
export const conversation = async (
  scope: Scope,
  studyId: string,
  { page, size, before }: Query<typeof chat.conversation>,
): Promise<Reply<typeof chat.conversation>> => {
  const messages = async () => {
    const all = storedMessages(scope).where('m.study_id', '=', studyId);
    const query = before === undefined ? all : all.where('m.number', '<', await numberOf(scope, studyId, before));
    return query
      .orderBy('m.number', 'desc')
      .limit(size + 1)
      .offset(page * size)
      .modifyEnd(prepared)
      .execute();
  };
  // All queries run in parallel. If access is refused, their results are not used.
  const [messageRows, unread, deletedIds] = await Promise.all([
    messages(),
    unreadIn(scope, studyId),
    lateDeletions(scope, studyId),
    assertInChat(scope, studyId),
  ]);
  return {
    content: messageRows.slice(0, size).map((message) => toMessage(scope, message)),
    last: messageRows.length <= size,
    unread,
    deletedIds,
  };
};

/**
 * Sends a message about a study in the name of the caller. Sending again with the same id returns the stored message.
 * Throws like `assertInChat`, and 409 when the id belongs to another message.
 */
export const send = async (
  scope: Scope,
  { id = newId(), conversationId: studyId, text }: SentMessage,
): Promise<ChatMessage> => {
  await assertInChat(scope, studyId);
  await takeTurn(scope, studyId);
  const { userId, username, name } = scope.session;
  const inserted = await scope.db
    .insertInto('chat_messages')
    .values({ id, study_id: studyId, user_id: userId, username, name, text })
    .onConflict((known) => known.columns(['tenant_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return sentBefore(scope, id, studyId, text);
  await audit(scope, 'chat.send', { entity: 'chat_message', entityId: id, studyId });
  await announce(scope, { kind: 'chat', studyId });
  await notifyMentioned(scope, studyId, text);
  return toMessage(scope, await messageById(scope, id));
};

/** Makes messages to one conversation wait for each other, so that they appear in the order of their numbers. */
const takeTurn = async ({ db, session }: Scope, studyId: string) => {
  const key = `chat ${session.tenantId} ${studyId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
};

const sentBefore = async (scope: Scope, id: string, studyId: string, text: string): Promise<ChatMessage> => {
  const known = await messageById(scope, id);
  if (known.user_id === scope.session.userId && known.study_id === studyId && known.text === text) {
    return toMessage(scope, known);
  }
  throw conflict('message.id_taken', t`Another message has this id. Use a new id.`);
};

/**
 * Marks all messages up to this message as read. If a later message is already read, changes nothing. Throws like
 * `assertInChat`, and 404 for a message of another study.
 */
export const read = async (scope: Scope, studyId: string, messageId: string): Promise<Reply<typeof chat.read>> => {
  await assertInChat(scope, studyId);
  const { db, session } = scope;
  const last_number = await numberOf(scope, studyId, messageId);
  const moved = await db
    .insertInto('chat_reads')
    .values({ user_id: session.userId, study_id: studyId, last_number })
    .onConflict((known) =>
      known
        .columns(['tenant_id', 'user_id', 'study_id'])
        .doUpdateSet({ last_number, read_at: sql`now()` })
        .where('chat_reads.last_number', '<', last_number),
    )
    .returning('study_id')
    .executeTakeFirst();
  // The unread count in other windows of the user must change too.
  if (moved) await announce(scope, { kind: 'chat', studyId }, [session.userId]);
  return { unread: await unreadIn(scope, studyId) };
};

/**
 * Deletes the caller's own message. Has no effect on a message that is already deleted. Throws 404 when the caller may
 * not see the message, and 403 when another user wrote it.
 */
export const remove = async (scope: Scope, messageId: string): Promise<ChatMessage> => {
  const message = await messageById(scope, messageId);
  if (message.user_id !== scope.session.userId) throw forbidden(t`Only the sender can delete a message`);
  const deleted = await scope.db
    .insertInto('chat_deletions')
    .values({ message_id: messageId, study_id: message.study_id, user_id: scope.session.userId })
    .onConflict((known) => known.columns(['tenant_id', 'message_id']).doNothing())
    .returning('message_id')
    .executeTakeFirst();
  if (deleted) {
    const studyId = message.study_id;
    await audit(scope, 'chat.delete', { entity: 'chat_message', entityId: messageId, studyId });
    await announce(scope, { kind: 'chat', studyId });
  }
  return toMessage(scope, await messageById(scope, messageId));
};
