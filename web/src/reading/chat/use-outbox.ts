import { t } from '@lingui/core/macro';
import { chat, type ChatMessage } from '@radwork/contract/reading/chat';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { storeOwnMessage } from './conversation.ts';
import { newId } from '#core/browser/new-id.ts';
import { dropFromOutbox, storeUnsent, readOutbox, type Unsent } from './unsent-messages.ts';

/** A message being sent. `failure` is the reason why sending failed, or null. */
export type Outgoing = Unsent & { failure: string | null };

const fromBefore = (studyId: string): Outgoing[] =>
  readOutbox(studyId).map((message) => ({ ...message, failure: t`Not sent` }));

const notStoredText = t`This browser cannot store the message. Copy it before you leave.`;

/**
 * Holds the user's messages that the server does not have yet. They stay in the browser storage until sent or
 * discarded.
 */
export const useOutbox = (studyId: string, messages: readonly ChatMessage[]) => {
  const client = useQueryClient();
  const [outgoing, setOutgoing] = useState(() => fromBefore(studyId));
  // Sends one message at a time, to keep their order.
  const turn = useRef<Promise<unknown>>(Promise.resolve());

  const drop = (messageId: string) => {
    dropFromOutbox(studyId, messageId);
    setOutgoing((all) => all.filter(({ id }) => id !== messageId));
  };
  const fail = (messageId: string, failure: string) =>
    setOutgoing((all) => all.map((message) => (message.id === messageId ? { ...message, failure } : message)));

  const post = async ({ id, text }: Unsent, isKept: boolean) => {
    try {
      const sent = await call(chat.send, { body: { id, conversationId: studyId, text } });
      storeOwnMessage(client, studyId, sent);
      drop(id);
    } catch (error) {
      const reason = errorMessageOf(error, t`Not sent: no connection.`);
      fail(id, isKept ? reason : `${reason} ${notStoredText}`);
    }
  };

  const put = (message: Unsent) => {
    const isKept = storeUnsent(studyId, message);
    const { id, text, at } = message;
    setOutgoing((all) => [...all.filter((other) => other.id !== id), { id, text, at, failure: null }]);
    turn.current = turn.current.then(() => post(message, isKept));
  };

  useEffect(() => {
    // The server has these messages; only its answer was lost.
    const arrived = readOutbox(studyId).filter(({ id }) => messages.some((message) => message.id === id));
    for (const { id } of arrived) dropFromOutbox(studyId, id);
  }, [studyId, messages]);

  return {
    outgoing: outgoing.filter(({ id }) => messages.every((message) => message.id !== id)),
    send: (text: string) => put({ id: newId(), text: text.trim(), at: new Date().toISOString() }),
    retry: put,
    discard: drop,
  };
};
export type Outbox = ReturnType<typeof useOutbox>;
