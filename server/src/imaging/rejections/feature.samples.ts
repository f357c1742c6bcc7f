import { rejections } from '@radwork/contract/imaging/rejections';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                                  asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/studies/{id}/rejections                           study.delete 401       200  200  403  403  403  404       403    200
    POST   /api/studies/{id}/rejections                           study.delete 401       may  may  403  403  403  404       403    may
    GET    /api/studies/{id}/rejections/preview                   study.delete 401       200  200  403  403  403  404       403    200
    POST   /api/studies/{id}/rejections/{rejectionId}/restoration study.delete 401       may  may  403  403  403  404       403    may
  `,
  parameters: { rejectionId: 'rejectionId' },
  bodies: [[rejections.reject, { seriesInstanceUID: '1.2.3', title: '113001' }]],
  queries: [[rejections.preview, '?seriesInstanceUID=1.2.3']],
  after: ['studies'],
  insert: async ({ db }, { mark, id }) => {
    const rejectionId = newId();
    const study = { study_id: id('studyId') };
    await db
      .insertInto('rejections')
      .values({ ...study, id: rejectionId, title: '113001', comment: mark, rejected_by_name: mark })
      .execute();
    await db
      .insertInto('rejected_images')
      .values({
        ...study,
        rejection_id: rejectionId,
        series_instance_uid: mark,
        sop_instance_uid: mark,
        is_standing: true,
      })
      .execute();
    return { rejectionId };
  },
});
