import { z } from 'zod';
import { del, get, post, put } from './endpoint.ts';
import { pageQuery } from './paging.ts';

/** What a message reads that its sender has taken back. */
export const deletedMessageText = 'Message deleted';

export const chatMessage = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  text: z.string(),
  createdAt: z.string(),
  /** Whether the caller wrote it. */
  isMine: z.boolean(),
  /** Its sender has taken it back; `text` then says so and nothing else. */
  isDeleted: z.boolean(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** Somebody whom a message may mention. */
export const chatPerson = z.object({
  username: z.string(),
  name: z.string(),
  /** They see the study and not yet what is said about it: being mentioned lets them in. */
  joinsByMention: z.boolean(),
});
export type ChatPerson = z.infer<typeof chatPerson>;

/** In UTF-16 units, without blanks at either end. */
export const longestMessage = 4000;

const noSuchConversation = 'There is no such conversation';
const noSuchMessage = 'There is no such message';

/**
 * A conversation is about a study and named by its id; who may see the study may read and write (C58). Not so a
 * referring physician who has only asked for the study: 403, until somebody in the conversation mentions them (C78).
 */
export const chat = {
  /**
   * Newest first, and with `before` those older than that message. `last` says that there are no older ones, `unread`
   * how many by others follow what the caller has read, `deletedIds` which were taken back lately, however old they are.
   */
  conversation: get('/chat/conversation/:conversationId', {
    can: 'chat.use',
    query: z.object({ ...pageQuery, before: z.uuid(noSuchMessage).optional() }),
    reply: z.object({
      content: z.array(chatMessage),
      last: z.boolean(),
      unread: z.number(),
      deletedIds: z.array(z.string()),
    }),
  }),
  /**
   * The sender is whoever is signed in, whatever the body says (D-07). The same message may be sent again with its `id`
   * when no answer came: it is written once.
   */
  send: post('/chat/send', {
    can: 'chat.use',
    body: z.object({
      id: z.uuid('A message is named by a UUID').optional(),
      conversationId: z.uuid(noSuchConversation),
      username: z.string().optional(),
      text: z
        .string()
        .trim()
        .min(1, 'Write a message first')
        .max(longestMessage, 'A message has 4,000 characters at most'),
    }),
    reply: chatMessage,
  }),
  /** The caller has read up to and including this message. Earlier ones than before are no step back. */
  read: put('/chat/conversation/:conversationId/read', {
    can: 'chat.use',
    body: z.object({ messageId: z.uuid(noSuchMessage) }),
    reply: z.object({ unread: z.number() }),
  }),
  /** Takes an own message back. What it said stays on record and is shown to nobody (D-07). */
  remove: del('/chat/messages/:messageId', { can: 'chat.use', reply: chatMessage }),
  /** Whom a message may mention: those who may see the study and use the chat, without the caller. */
  people: get('/chat/conversation/:conversationId/people', { can: 'chat.use', reply: z.array(chatPerson) }),
};

/** A username in a text, as it is known and not as it is typed, from its "@" at `start` to `end`. */
export type Mention = { username: string; start: number; end: number };

/** An "@" that is not part of an address or a word. */
const mark = /(?<![\p{L}\p{N}_@])@/gu;

/** What may not follow a username, or it would be the beginning of another one. */
const goesOn = /^[.-]*[\p{L}\p{N}_@]/u;

/**
 * Where a text mentions one of these people: "@" and their username, in any case of letters. What stands behind an "@" is
 * looked up, and not compared with everybody: a message may hold thousands of them, and a group a thousand people.
 */
export const mentionsIn = (text: string, usernames: readonly string[]): Mention[] => {
  const known = new Map(usernames.map((username) => [username.toLowerCase(), username]));
  const longest = Math.max(0, ...usernames.map(({ length }) => length));
  return Array.from(text.matchAll(mark)).flatMap(({ index: start }) => {
    for (let end = Math.min(start + 1 + longest, text.length); end > start + 1; end -= 1) {
      const username = known.get(text.slice(start + 1, end).toLowerCase());
      if (username !== undefined && !goesOn.test(text.slice(end))) return [{ username, start, end }];
    }
    return [];
  });
};
