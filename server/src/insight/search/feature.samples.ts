import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                       asks for anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/search staff    401       400  400  400  400  403  none      403    400
  `,
});
