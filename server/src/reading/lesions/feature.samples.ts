import { lesions } from '@radwork/contract/reading/lesions';
import { defineSamples, nobody } from '#test/feature-samples.ts';

const facts = { label: 'Liver metastasis', organ: 'Liver', isNode: false, kind: 'TARGET' };

export const samples = defineSamples({
  access: `
                                                             asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/lesions/for-study/{id}                       report.edit 401       403  403  200  403  403  404       403    403
    POST   /api/lesions/for-study/{id}                       report.edit 401       403  403  may  403  403  404       403    403
    PUT    /api/lesions/for-study/{id}/links/{measurementId} report.edit 401       403  403  may  403  403  404       403    403
    DELETE /api/lesions/for-study/{id}/links/{measurementId} report.edit 401       403  403  may  403  403  404       403    403
    PUT    /api/lesions/for-study/{id}/{lesionId}            report.edit 401       403  403  may  403  403  404       403    403
    PUT    /api/lesions/for-study/{id}/{lesionId}/state      report.edit 401       403  403  may  403  403  404       403    403
  `,
  ids: { '/lesions/for-study/': 'studyId' },
  parameters: { lesionId: 'lesionId' },
  fields: { priorMeasurementId: 'measurementId' },
  bodies: [
    [lesions.add, facts],
    [lesions.link, { priorMeasurementId: nobody }],
    [lesions.save, { ...facts, revision: 1 }],
    [lesions.assess, { state: 'ABSENT' }],
  ],
  after: ['measurements'],
  fill: async ({ author, mark, id }) => {
    const params = { id: id('studyId') };
    const body = { label: mark, organ: mark, isNode: false, kind: 'TARGET', measurementId: id('measurementId') };
    const { data } = await author.send(lesions.add, { params, body });
    await author.send(lesions.assess, { params: { ...params, lesionId: data.id }, body: { state: 'TOO_SMALL' } });
    return { lesionId: data.id };
  },
});
