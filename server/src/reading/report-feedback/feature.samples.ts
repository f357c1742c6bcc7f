import { reportFeedbackCalls } from '@radwork/contract/reading/report-feedback';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                    asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/reports/feedback      report.create 401       403  403  200  403  403  none      403    403
    PUT    /api/reports/{id}/feedback report.create 401       403  403  may  403  403  404       403    403
  `,
  bodies: [[reportFeedbackCalls.mark, { isRead: true }]],
  after: ['reports'],
  insert: async ({ db }, { author, id }) => {
    await db
      .insertInto('report_feedback_reads')
      .values({ user_id: author.userId, report_id: id('reportId'), version: 1 })
      .execute();
  },
});
