import { chat } from '@radwork/contract/reading/chat';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                          asks for anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/chat/conversation/{conversationId}        chat.use 401       200  200  200  200  403  404       403    200
    GET    /api/chat/conversation/{conversationId}/people chat.use 401       200  200  200  200  403  404       403    200
    PUT    /api/chat/conversation/{conversationId}/read   chat.use 401       may  may  may  may  403  404       403    may
    DELETE /api/chat/messages/{messageId}                 chat.use 401       rule rule may  rule 403  404       403    403
    POST   /api/chat/send                                 chat.use 401       may  may  may  may  403  none      403    may
  `,
  unaudited: [chat.people],
  parameters: { conversationId: 'studyId', messageId: 'chatMessageId' },
  fields: { conversationId: 'studyId', messageId: 'chatMessageId' },
  bodies: [
    [chat.send, { conversationId: nobody, text: 'x' }],
    [chat.read, { messageId: nobody }],
  ],
  after: ['studies'],
  fill: async ({ author: { send }, mark, id }) => {
    const conversationId = id('studyId');
    const message = await send(chat.send, { body: { conversationId, text: mark } });
    const params = { conversationId, messageId: message.data.id };
    await send(chat.read, { params, body: { messageId: message.data.id } });
    const deleted = await send(chat.send, { body: { conversationId, text: mark } });
    await send(chat.remove, { params: { messageId: deleted.data.id } });
    return { chatMessageId: message.data.id };
  },
  insert: async ({ db }, { author: { userId }, id }) => {
    await db
      .insertInto('chat_invitations')
      .values({ study_id: id('studyId'), user_id: userId, invited_by: userId })
      .execute();
  },
});
