import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                               asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/reading-queue/next             report.edit 401       403  403  may  403  403  none      403    403
    POST   /api/reading-queue/list             report.edit 401       403  403  may  403  403  none      403    403
    POST   /api/reading-queue/ahead            report.edit 401       403  403  may  403  403  none      403    403
    GET    /api/reading-queue/deferrals        report.edit 401       403  403  200  403  403  none      403    403
    PUT    /api/studies/{id}/reading-deferral  report.edit 401       403  403  may  403  403  404       403    403
    DELETE /api/studies/{id}/reading-deferral  report.edit 401       403  403  may  403  403  404       403    403
  `,
  bodies: [
    [readingQueue.next, {}],
    [readingQueue.list, { size: 6 }],
    [readingQueue.ahead, { queue: 'MINE' }],
    [readingQueue.defer, { until: '2126-11-22T09:12:00Z', reason: 'Priors are missing' }],
  ],
  after: ['studies'],
  insert: async ({ db }, { author, mark, id }) => {
    await db
      .insertInto('reading_deferrals')
      .values({
        study_id: id('studyId'),
        user_id: author.userId,
        deferred_until: '2126-11-22T09:12:00Z',
        reason: mark,
      })
      .execute();
  },
});
