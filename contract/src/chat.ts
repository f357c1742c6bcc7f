import { z } from 'zod';
import { get, post, put } from './endpoint.ts';
import { pageQuery } from './paging.ts';

export const chatMessage = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  text: z.string(),
  createdAt: z.string(),
  /** Whether the caller wrote it. */
  isMine: z.boolean(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

export const longestMessage = 4000;

/** A conversation is about a study and named by its id; who may see the study may read and write (C58). */
export const chat = {
  /** Newest first; `last` says that there are no older ones, `unread` how many by others follow what the caller has read. */
  conversation: get('/chat/conversation/:conversationId', {
    can: 'chat.use',
    query: z.object({ ...pageQuery, before: z.string().optional() }),
    reply: z.object({ content: z.array(chatMessage), last: z.boolean(), unread: z.number() }),
  }),
  /** The sender is whoever is signed in, whatever the body says (D-07). */
  send: post('/chat/send', {
    can: 'chat.use',
    body: z.object({
      conversationId: z.string(),
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
    body: z.object({ messageId: z.string() }),
  }),
  /** Whom a message may mention: those who may see the study and use the chat. */
  people: get('/chat/conversation/:conversationId/people', {
    can: 'chat.use',
    reply: z.array(z.object({ username: z.string(), name: z.string() })),
  }),
};

/** The usernames that a message mentions, each once: "@" and a name, where no letter or digit goes before. */
export const mentionsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?<![\w@])@([\w.-]*\w)/g)].map(([, username]) => username ?? '')),
];
