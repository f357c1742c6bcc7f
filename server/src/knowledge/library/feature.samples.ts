import { knowledge } from '@radwork/contract/knowledge/library';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                         asks for   anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/knowledge/for-study/{id} study.view 401       200  200  200  200  403  404       403    200
  `,
  unaudited: [knowledge.forStudy],
  ids: { '/knowledge/for-study/': 'studyId' },
});
