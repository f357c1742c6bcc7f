import { chat, type ChatMessage, deletedMessageText } from '@radwork/contract/chat';
import type { Query, Reply } from '@radwork/contract/endpoint';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#core/api.ts';

/** What this browser knows of a conversation. */
export type Conversation = {
  /** Oldest first, and without a gap up to the newest that the server was asked for. */
  messages: ChatMessage[];
  /** Own ones that were sent from here since: others may have said something before them that is not known yet. */
  sentSince: readonly string[];
  /** There are none before the first of them. */
  isWhole: boolean;
  unread: number;
};

type Page = Reply<typeof chat.conversation>;

/** As the queries of core/api.ts are named, so that whatever refreshes the chat refreshes this. */
const keyOf = (studyId: string) => ['chat', chat.conversation.path, { params: { conversationId: studyId } }] as const;

const pageSize = 10;
/** What was missed is asked for in larger pages, and beyond so many of them the conversation is begun anew. */
const missedPageSize = 100;
const mostMissedPages = 5;

/** Asks for messages without keeping anybody signed in. */
const ask = (studyId: string, asked: Partial<Query<typeof chat.conversation>>, signal?: AbortSignal): Promise<Page> =>
  call(
    chat.conversation,
    { params: { conversationId: studyId }, query: { page: 0, size: pageSize, ...asked } },
    { headers: { 'x-poll': '1' }, ...(signal && { signal }) },
  );

/**
 * The conversation about a study: asking again adds what is new to what is known, so that older messages that were
 * loaded stay where they are.
 */
export const conversationOf = (studyId: string) =>
  queryOptions({
    queryKey: keyOf(studyId),
    queryFn: async ({ client, signal }) => {
      const page = await catchUp(studyId, client.getQueryData<Conversation>(keyOf(studyId)), signal);
      // Older messages may have come while this was on its way.
      return merge(client.getQueryData<Conversation>(keyOf(studyId)), page);
    },
  });

const catchUp = async (studyId: string, known: Conversation | undefined, signal: AbortSignal): Promise<Page> => {
  const page = await ask(studyId, {}, signal);
  const knownIds = new Set(askedFor(known).map(({ id }) => id));
  for (let pages = 0; pages < mostMissedPages && isGap(page, knownIds); pages += 1) {
    const before = page.content.at(-1)?.id;
    const missed = await ask(studyId, { size: missedPageSize, before }, signal);
    page.content.push(...missed.content);
    page.last = missed.last;
  }
  return page;
};

const askedFor = (known: Conversation | undefined): ChatMessage[] =>
  known?.messages.filter(({ id }) => !known.sentSince.includes(id)) ?? [];

const isGap = ({ content, last }: Page, knownIds: ReadonlySet<string>): boolean =>
  !last && knownIds.size > 0 && !content.some(({ id }) => knownIds.has(id));

const merge = (known: Conversation | undefined, { content, last, unread, deletedIds }: Page): Conversation => {
  const fresh = content.toReversed();
  const freshIds = new Set(fresh.map(({ id }) => id));
  const isJoined = askedFor(known).some(({ id }) => freshIds.has(id));
  if (!known || !isJoined) return { messages: fresh, sentSince: [], isWhole: last, unread };
  const rest = known.messages.filter(({ id }) => !freshIds.has(id));
  // What stands before is told by the server's order and not by the time: who writes at the same moment waits.
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

const takenBack = (message: ChatMessage): ChatMessage => ({ ...message, text: deletedMessageText, isDeleted: true });

const change = (client: QueryClient, studyId: string, next: (known: Conversation) => Conversation) =>
  client.setQueryData<Conversation>(keyOf(studyId), (known) => known && next(known));

/** Adds the page before the oldest message that is known. Throws ApiError. */
export const addOlder = async (client: QueryClient, studyId: string): Promise<void> => {
  const before = client.getQueryData<Conversation>(keyOf(studyId))?.messages[0]?.id;
  if (before === undefined) return;
  const { content, last } = await ask(studyId, { before });
  change(client, studyId, (known) => {
    // The conversation was begun anew meanwhile: this page would leave a gap.
    if (known.messages[0]?.id !== before) return known;
    return { ...known, messages: [...content.toReversed(), ...known.messages], isWhole: last };
  });
};

/** Puts in what the server answered about an own message: that it is written, or taken back. */
export const noteOwn = (client: QueryClient, studyId: string, message: ChatMessage) =>
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
