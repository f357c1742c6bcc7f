import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/reports/{id}/checks             report.edit 401       403  403  200  403  403  404       403    403
    GET    /api/studies/{id}/report-check-facts report.edit 401       403  403  200  403  403  404       403    403
  `,
});
