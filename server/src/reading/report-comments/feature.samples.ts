import { reportComments } from '@radwork/contract/reading/report-comments';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

const anchor = { exact: 'Text', prefix: '', suffix: '', start: 0, end: 4 };

export const samples = defineSamples({
  access: `
                                                             asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/reports/{id}/comments                     report.view 401       200  200  200  200  403  404       403    200
    POST   /api/reports/{id}/comments                     report.view 401       rule rule may  rule 403  404       403    403
    DELETE /api/reports/{id}/comments/{commentId}         report.view 401       rule rule may  rule 403  404       403    403
    POST   /api/reports/{id}/comments/{commentId}/replies report.view 401       rule rule may  rule 403  404       403    403
    PUT    /api/reports/{id}/comments/{commentId}/state   report.view 401       rule rule may  rule 403  404       403    403
  `,
  parameters: { commentId: 'commentId' },
  bodies: [
    [reportComments.create, { anchor, text: 'Side?', revision: 1 }],
    [reportComments.reply, { text: 'Left.' }],
    [reportComments.settle, { state: 'RESOLVED' }],
  ],
  after: ['reports'],
  insert: async ({ db }, { author, mark, id }) => {
    const commentId = newId();
    await db
      .insertInto('report_comments')
      .values({
        id: commentId,
        report_id: id('reportId'),
        version: 1,
        author_id: author.userId,
        text: mark,
        passage: mark,
        prefix: '',
        suffix: '',
        passage_start: 0,
        passage_end: mark.length,
      })
      .execute();
    await db
      .insertInto('report_comment_replies')
      .values({ id: commentId, comment_id: commentId, author_id: author.userId, text: mark })
      .execute();
    return { commentId };
  },
});
