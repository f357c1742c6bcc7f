import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                    asks for anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/files/{id}/download staff    401       200  200  200  200  403  404       403    200
    GET    /api/files/{id}/rendered staff    401       406  406  406  406  403  404       403    406
  `,
  ids: { '/files/': 'fileId' },
  parameters: { fileId: 'fileId' },
});
