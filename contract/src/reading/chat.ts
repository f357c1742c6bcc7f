import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, asReading, unaudited, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { pageQuery } from '../core/paging.ts';

/** Text of a deleted message. */
export const deletedMessageText = () => t`Message deleted`;

export const chatMessage = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  text: z.string(),
  createdAt: z.string(),
  /** Whether the caller wrote the message. */
  isMine: z.boolean(),
  /** Whether the sender has deleted the message; `text` then says only that. */
  isDeleted: z.boolean(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** A user whom a message can mention. */
export const chatPerson = z.object({
  username: z.string(),
  name: z.string(),
  /** Whether a mention gives this user access to the chat. True for a user who sees the study but not its chat. */
  joinsByMention: z.boolean(),
});
export type ChatPerson = z.infer<typeof chatPerson>;

/** Length in UTF-16 units, after trimming. */
export const longestMessage = 4000;

const noSuchConversation = { error: () => t`Conversation not found` };
const noSuchMessage = { error: () => t`Message not found` };

/**
 * Conversation about a study, identified by the ID of the study. Users who can see the study can read and write it. A
 * referring physician who only ordered the study gets 403 until a participant mentions them.
 */
export const chat = {
  /**
   * Returns messages, newest first. With `before`, returns only messages older than that message. `last` is true if
   * there are no older messages. `unread` is the number of messages by others that the caller has not read.
   * `deletedIds` are the messages deleted recently, of any age.
   */
  conversation: get('/chat/conversation/:conversationId', {
    can: 'chat.use',
    audited: asReading('chat.view', 'study', 'study'),
    query: z.object({ ...pageQuery, before: z.uuid(noSuchMessage).optional() }),
    reply: z.object({
      content: z.array(chatMessage),
      last: z.boolean(),
      unread: z.number(),
      deletedIds: z.array(z.string()),
    }),
  }),
  /**
   * Sends a message. The sender is always the signed-in user, whatever the body says. A caller without a response may
   * retry with the same `id`; the message is stored once.
   */
  send: post('/chat/send', {
    can: 'chat.use',
    audited: 'chat.send',
    body: z.object({
      id: z.uuid({ error: () => t`Use a UUID` }).optional(),
      conversationId: z.uuid(noSuchConversation),
      username: z.string().optional(),
      text: z
        .string()
        .trim()
        .min(1, { error: () => t`Enter a message` })
        .max(longestMessage, { error: () => t`Use at most 4,000 characters` }),
    }),
    reply: chatMessage,
  }),
  /** Marks this message and all earlier messages as read. Does nothing if a later message was already marked. */
  read: put('/chat/conversation/:conversationId/read', {
    can: 'chat.use',
    audited: unaudited('marks items as read; fetching them is audited'),
    body: z.object({ messageId: z.uuid(noSuchMessage) }),
    reply: z.object({ unread: z.number() }),
  }),
  /** Deletes a message of the caller. The text is retained but no longer shown. */
  remove: del('/chat/messages/:messageId', { can: 'chat.use', audited: 'chat.delete', reply: chatMessage }),
  /** Returns the users whom a message can mention: all who can see the study and use the chat, except the caller. */
  people: get('/chat/conversation/:conversationId/people', {
    can: 'chat.use',
    audited: notAudited.noPatient,
    reply: z.array(chatPerson),
  }),
};

/** A mention in a text, from its "@" at `start` to `end`. `username` is written as registered. */
export type Mention = { username: string; start: number; end: number };

/** Matches an "@" that is not part of an e-mail address or a word. */
const mark = /(?<![\p{L}\p{N}_@])@/gu;

/** Characters after a username that would make it a longer username. */
const goesOn = /^[.-]*[\p{L}\p{N}_@]/u;

/**
 * Finds mentions of these users: "@" and the username, in any case. Looks up the text after each "@" instead of
 * comparing it with every user. A message may contain thousands of "@", and a group may have a thousand users.
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

export const noun = {
  calls: [chat],
  entities: ['chat_message'],
  actions: {
    Conversation: {
      'chat.view': 'Viewed conversation',
      'chat.send': 'Sent message',
      'chat.delete': 'Deleted message',
      'chat.invite': 'Invited to conversation',
    },
  },
} as const satisfies Noun;
