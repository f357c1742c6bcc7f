import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                     asks for   anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/studies/{id}/preview study.view 401       200  200  200  200  403  404       403    200
  `,
});
