import { chat } from '@radwork/contract/reading/chat';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { participantsOfChat } from './participants.ts';
import { conversation, read, remove, send } from './service.ts';

/** Maximum number of messages per minute and user: more than a user types, and few enough not to flood colleagues. */
const sendsPerMinute = 30;

export const chatRoutes = ({ serve }: Routes) => {
  const letThrough = createRateLimit(sendsPerMinute);
  serve(chat.conversation, (scope, { params, query }) => conversation(scope, params.conversationId, query));
  serve(chat.send, async (scope, { body }) => {
    letThrough(scope.session.userId);
    return send(scope, body);
  });
  serve(chat.read, (scope, { params, body }) => read(scope, params.conversationId, body.messageId));
  serve(chat.remove, (scope, { params }) => remove(scope, params.messageId));
  serve(chat.people, (scope, { params }) => participantsOfChat(scope, params.conversationId));
};
