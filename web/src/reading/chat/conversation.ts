import { chat, type ChatMessage, deletedMessageText } from '@radwork/contract/reading/chat';
import type { Query, Reply } from '@radwork/contract/core/endpoint';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#core/http/api.ts';

/** The messages of a conversation that this browser has loaded. */
export type Conversation = {
  /**
   * Messages, oldest first. No message is missing between the oldest loaded message and the newest message of the
   * server's last response.
   */
  messages: ChatMessage[];
  /**
   * IDs of messages that the user has sent since the server's last response. Messages of other users that are not
   * loaded may come before them.
   */
  sentSince: readonly string[];
  /** Whether the first message of the conversation is loaded. */
  isWhole: boolean;
  unread: number;
};

type Page = Reply<typeof chat.conversation>;

/** Begins like the query keys of core/http/api.ts, so that a refresh of all chat queries includes this query. */
const keyOf = (studyId: string) => ['chat', chat.conversation.path, { params: { conversationId: studyId } }] as const;

const pageSize = 10;
/**
 * Page size for messages missed while offline. After more than `mostMissedPages` pages, the conversation is reloaded
 * from its end.
 */
const missedPageSize = 100;
const mostMissedPages = 5;

/** Requests messages without prolonging the session (`x-poll`). */
const fetchMessages = (
  studyId: string,
  filter: Partial<Query<typeof chat.conversation>>,
  signal?: AbortSignal,
): Promise<Page> =>
  call(
    chat.conversation,
    { params: { conversationId: studyId }, query: { page: 0, size: pageSize, ...filter } },
    { headers: { 'x-poll': '1' }, ...(signal && { signal }) },
  );

/**
 * The conversation about a study. A refetch adds new messages to the known messages, so that older loaded messages
 * stay.
 */
export const conversationOf = (studyId: string) =>
  queryOptions({
    queryKey: keyOf(studyId),
    queryFn: async ({ client, signal }) => {
      const page = await catchUp(studyId, client.getQueryData<Conversation>(keyOf(studyId)), signal);
      // Reads the cache again, because older messages may have been loaded during the request.
      return merge(client.getQueryData<Conversation>(keyOf(studyId)), page);
    },
  });

const catchUp = async (studyId: string, known: Conversation | undefined, signal: AbortSignal): Promise<Page> => {
  const page = await fetchMessages(studyId, {}, signal);
  const knownIds = new Set(requestedMessages(known).map(({ id }) => id));
  for (let pages = 0; pages < mostMissedPages && isGap(page, knownIds); pages += 1) {
    const before = page.content.at(-1)?.id;
    const missed = await fetchMessages(studyId, { size: missedPageSize, before }, signal);
    page.content.push(...missed.content);
    page.last = missed.last;
  }
  return page;
};

const requestedMessages = (known: Conversation | undefined): ChatMessage[] =>
  known?.messages.filter(({ id }) => !known.sentSince.includes(id)) ?? [];

const isGap = ({ content, last }: Page, knownIds: ReadonlySet<string>): boolean =>
  !last && knownIds.size > 0 && !content.some(({ id }) => knownIds.has(id));

const merge = (known: Conversation | undefined, { content, last, unread, deletedIds }: Page): Conversation => {
  const fresh = content.toReversed();
  const freshIds = new Set(fresh.map(({ id }) => id));
  const isJoined = requestedMessages(known).some(({ id }) => freshIds.has(id));
  if (!known || !isJoined) return { messages: fresh, sentSince: [], isWhole: last, unread };
  const rest = known.messages.filter(({ id }) => !freshIds.has(id));
  // Uses the server's order, not the times: concurrent senders may get times out of order.
  const isSince = ({ id }: ChatMessage) => known.sentSince.includes(id);
  const messages = [...rest.filter((message) => !isSince(message)), ...fresh, ...rest.filter(isSince)];
  const deleted = new Set(deletedIds);
  return {
    messages: messages.map((message) => (deleted.has(message.id) ? takenBack(message) : message)),
    sentSince: known.sentSince.filter((id) => !freshIds.has(id)),
    isWhole: known.isWhole || last,
    unread,
  };
};

const takenBack = (message: ChatMessage): ChatMessage => ({ ...message, text: deletedMessageText(), isDeleted: true });

const change = (client: QueryClient, studyId: string, next: (known: Conversation) => Conversation) =>
  client.setQueryData<Conversation>(keyOf(studyId), (known) => known && next(known));

/** Loads the page before the oldest known message. Throws ApiError. */
export const addOlder = async (client: QueryClient, studyId: string): Promise<void> => {
  const before = client.getQueryData<Conversation>(keyOf(studyId))?.messages[0]?.id;
  if (before === undefined) return;
  const { content, last } = await fetchMessages(studyId, { before });
  change(client, studyId, (known) => {
    // The conversation was reloaded meanwhile. Adding this page would leave a gap.
    if (known.messages[0]?.id !== before) return known;
    return { ...known, messages: [...content.toReversed(), ...known.messages], isWhole: last };
  });
};

/** Stores a message of the user in the cache, as the server returned it after writing or deleting. */
export const storeOwnMessage = (client: QueryClient, studyId: string, message: ChatMessage) =>
  change(client, studyId, (known) => {
    const isKnown = known.messages.some(({ id }) => id === message.id);
    if (!isKnown) {
      const messages = [...known.messages, message];
      return { ...known, messages, sentSince: [...known.sentSince, message.id] };
    }
    return { ...known, messages: known.messages.map((other) => (other.id === message.id ? message : other)) };
  });

export const noteUnread = (client: QueryClient, studyId: string, unread: number) =>
  change(client, studyId, (known) => ({ ...known, unread }));
