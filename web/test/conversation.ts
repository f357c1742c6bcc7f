import { chat, type ChatMessage, deletedMessageText } from '@radwork/contract/reading/chat';
import { answer, type SentRequest } from './screen.tsx';

type WrittenMessage = { id: string; username: string; name: string; text: string; at: number; isDeleted?: boolean };

const nine = Date.parse('2026-11-20T09:00:00Z');

const asSeenBy = (username: string, { at, isDeleted = false, ...message }: WrittenMessage): ChatMessage => ({
  ...message,
  text: isDeleted ? deletedMessageText() : message.text,
  createdAt: new Date(nine + at * 60_000).toISOString(),
  isMine: message.username === username,
  isDeleted,
});

/** Simulates a server with one conversation, as one user sees it. Other users write with `says`. */
export const createConversation = (me = 'm.haddad') => {
  const written: WrittenMessage[] = [];
  let read = -1;
  let count = 0;

  const says = (
    username: string,
    text: string,
    id = `0190cccc-0000-7000-8000-${String(++count).padStart(12, '0')}`,
  ) => {
    const message = { id, username, name: `Dr ${username}`, text, at: written.length };
    if (written.every((other) => other.id !== id)) written.push(message);
    return message;
  };
  const indexOf = (id: unknown) => written.findIndex((message) => message.id === id);
  const unread = () =>
    written.filter(({ username, isDeleted }, index) => index > read && username !== me && !isDeleted).length;

  const page = ({ url }: SentRequest) => {
    const before = url.searchParams.get('before');
    const end = before === null ? written.length : indexOf(before);
    const start = Math.max(0, end - Number(url.searchParams.get('size')));
    return {
      content: written
        .slice(start, end)
        .toReversed()
        .map((message) => asSeenBy(me, message)),
      last: start === 0,
      unread: unread(),
      deletedIds: written.filter(({ isDeleted }) => isDeleted).map(({ id }) => id),
    };
  };

  const takeBack = (id: string) => {
    const message = written[indexOf(id)];
    if (!message) throw new Error('Message not found');
    message.isDeleted = true;
    return asSeenBy(me, message);
  };

  return {
    written,
    says,
    takeBack,
    unread,
    page,
    seen: (message: WrittenMessage) => asSeenBy(me, message),
    answers: {
      conversation: answer(chat.conversation, page),
      people: answer(chat.people, () => [
        { username: 'a.berg', name: 'Dr Aksel Berg', joinsByMention: false },
        { username: 'h.weiss', name: 'Dr Hannah Weiss', joinsByMention: false },
      ]),
      send: answer(chat.send, ({ body }) => {
        const { id, text } = body as { id: string; text: string };
        return asSeenBy(me, says(me, text, id));
      }),
      read: answer(chat.read, ({ body }) => {
        read = Math.max(read, indexOf((body as { messageId: string }).messageId));
        return { unread: unread() };
      }),
      remove: answer(chat.remove, ({ url }) => takeBack(url.pathname.split('/').at(-1) ?? '')),
    },
  };
};
