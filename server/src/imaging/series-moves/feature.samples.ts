import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { newId } from '#core/values/ids.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                          asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/studies/{id}/series-moves                 study.delete 401       200  200  403  403  403  404       403    200
    POST   /api/studies/{id}/series-moves                 study.delete 401       may  may  403  403  403  404       403    may
    POST   /api/studies/{id}/series-moves/{moveId}/cancel study.delete 401       may  may  403  403  403  404       403    may
  `,
  unaudited: [seriesMoves.ofStudy],
  parameters: { moveId: 'moveId' },
  fields: { toStudyId: 'studyId' },
  bodies: [[seriesMoves.move, { seriesInstanceUID: '1.2.3', toStudyId: nobody }]],
  after: ['studies'],
  insert: async ({ db }, { mark, id }) => {
    const moveId = newId();
    await db
      .insertInto('series_moves')
      .values({
        id: moveId,
        from_study_id: id('studyId'),
        to_study_id: id('studyId'),
        is_new_study: false,
        state: 'UNDONE',
        moved_by_name: mark,
        cause: mark,
      })
      .execute();
    await db
      .insertInto('copied_annotations')
      .values({ move_id: moveId, original_id: newId(), copy_id: newId(), revision: 1 })
      .execute();
    return { moveId };
  },
});
