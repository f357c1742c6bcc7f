import { t } from '@lingui/core/macro';
import { chat, type ChatMessage } from '@radwork/contract/reading/chat';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { readChatSound } from '#core/state/chat-sound.ts';
import { usePollInterval } from '#core/live/live.ts';
import { toast } from '#core/browser/toasts.ts';
import { addOlder, conversationOf, storeOwnMessage, noteUnread } from './conversation.ts';
import { playTone } from './message-tone.ts';

const pollEvery = 10_000;
const noMessages: ChatMessage[] = [];

/** Keeps the conversation about a study up to date and offers its actions. */
export const useConversation = (studyId: string) => {
  const client = useQueryClient();
  const refetchInterval = usePollInterval(pollEvery);
  const { data, dataUpdatedAt, error, refetch } = useQuery({ ...conversationOf(studyId), refetchInterval });
  const older = useMutation({ mutationFn: () => addOlder(client, studyId) });
  const removal = useMutation({
    mutationFn: (messageId: string) => call(chat.remove, { params: { messageId } }),
    onSuccess: (message) => storeOwnMessage(client, studyId, message),
    onError: (cause) => toast.failure(errorMessageOf(cause, t`Could not delete message`)),
  });
  const { isPending: isLoadingOlder, isError: hasOlderFailed, mutate: askForOlder } = older;
  const hasOlder = data !== undefined && !data.isWhole;
  return {
    messages: data?.messages ?? noMessages,
    unread: data?.unread ?? 0,
    isLoaded: data !== undefined,
    updatedAt: dataUpdatedAt,
    /** An error shows only when no messages are loaded. After a failed refetch, the loaded messages stay. */
    error: data ? null : error,
    retry: () => void refetch(),
    hasOlder,
    isLoadingOlder,
    hasOlderFailed,
    loadOlder: () => {
      if (hasOlder && !isLoadingOlder) askForOlder();
    },
    remove: (messageId: string) => removal.mutate(messageId),
  };
};
export type OpenConversation = ReturnType<typeof useConversation>;

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

export const useIsVisible = (): boolean =>
  useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');

/** Marks messages as read on the server, and retries until it succeeds. */
export const useReading = (studyId: string, conversation: OpenConversation, isReading: boolean) => {
  const client = useQueryClient();
  const { messages, unread, updatedAt } = conversation;
  const newest = messages.at(-1)?.id;
  const isDue = isReading && unread > 0;
  useEffect(() => {
    if (!isDue || newest === undefined) return;
    const input = { params: { conversationId: studyId }, body: { messageId: newest } };
    // This call must not prolong the session. A failed call is repeated after the next fetch.
    call(chat.read, input, { headers: { 'x-poll': '1' } }).then(
      (answer) => noteUnread(client, studyId, answer.unread),
      () => {},
    );
  }, [client, studyId, newest, isDue, updatedAt]);
};

/** Plays a tone for new messages of other users, unless the conversation is on the screen. */
export const useTone = ({ messages, isLoaded }: OpenConversation, isReading: boolean) => {
  // Time of the newest known message. Undefined before the first fetch, whose messages play no tone.
  const lastMessageTime = useRef<string>(undefined);
  const newest = messages.findLast(({ isMine }) => !isMine)?.createdAt ?? '';
  useEffect(() => {
    if (!isLoaded) return;
    const isNew = lastMessageTime.current !== undefined && newest > lastMessageTime.current;
    lastMessageTime.current = newest;
    const { enabled, volume } = readChatSound();
    if (isNew && enabled && !isReading) playTone(volume);
  }, [isLoaded, newest, isReading]);
};
