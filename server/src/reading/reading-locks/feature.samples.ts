import { readingLocks } from '@radwork/contract/reading/reading-locks';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                               asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    PUT    /api/studies/{id}/reading-lock      report.edit 401       403  403  may  403  403  404       403    403
    DELETE /api/studies/{id}/reading-lock      report.edit 401       403  403  may  403  403  404       403    403
    PUT    /api/studies/{id}/reading-lock/beat report.edit 401       403  403  may  403  403  404       403    403
  `,
  bodies: [[readingLocks.take, {}]],
  after: ['studies'],
  insert: async ({ db }, { author, mark, id }) => {
    await db
      .insertInto('reading_locks')
      // The lock must last longer than the test runs.
      .values({
        study_id: id('studyId'),
        user_id: author.userId,
        username: mark,
        name: mark,
        seen_at: '2126-11-22T09:12:00Z',
      })
      .execute();
  },
});
