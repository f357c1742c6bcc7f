import { reportLinks } from '@radwork/contract/reading/sharing';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                        asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/reports/{id}/link       report.share 401       200  200  200  403  403  404       403    200
    POST   /api/reports/{id}/link       report.share 401       may  may  may  403  403  404       403    403
    DELETE /api/reports/{id}/link       report.share 401       may  may  may  403  403  404       403    403
    GET    /api/reports/{id}/link/opens report.share 401       200  200  200  403  403  404       403    200
    GET    /api/reports/{id}/link/terms report.share 401       200  200  200  403  403  404       403    200
  `,
  unaudited: [reportLinks.terms],
  bodies: [[reportLinks.create, {}]],
});
