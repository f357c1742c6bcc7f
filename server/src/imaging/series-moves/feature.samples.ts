import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { newId } from '#core/values/ids.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                          asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/studies/{id}/series-moves study.delete 401       may  may  403  403  403  404       403    may
  `,
  fields: { toStudyId: 'studyId' },
  bodies: [[seriesMoves.move, { seriesInstanceUID: '1.2.3', toStudyId: nobody }]],
  after: ['studies'],
  insert: async ({ db }, { mark, id }) => {
    await db
      .insertInto('series_moves')
      .values({
        id: newId(),
        from_study_id: id('studyId'),
        to_study_id: id('studyId'),
        is_new_study: false,
        state: 'UNDONE',
        moved_by_name: mark,
      })
      .execute();
  },
});
