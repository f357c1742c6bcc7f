import { rereadings } from '@radwork/contract/imaging/rereadings';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                       asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/rereadings             patient.merge 401       200  200  403  403  403  none      403    200
    GET    /api/rereadings/differences patient.merge 401       200  200  403  403  403  none      403    200
  `,
  unaudited: [rereadings.progress],
  after: ['studies'],
  insert: async ({ db }, { mark, id }) => {
    await db
      .insertInto('header_rereadings')
      .values({ reader_version: 1, files_in_all: 1 })
      .onConflict((known) => known.doNothing())
      .execute();
    await db
      .insertInto('header_differences')
      .values({
        id: newId(),
        reader_version: 1,
        study_id: id('studyId'),
        sop_instance_uid: mark,
        outcome: 'CHANGED',
        keyword: 'StudyTime',
        before: '',
        after: mark,
      })
      .execute();
  },
});
