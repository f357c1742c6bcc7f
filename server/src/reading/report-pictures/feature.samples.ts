import { reportPictures } from '@radwork/contract/reading/report-pictures';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                      asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/report-pictures/fetch report.edit 401       403  403  may  403  403  none      403    403
  `,
  bodies: [[reportPictures.fetch, { url: 'https://pictures.invalid/a.png' }]],
});
