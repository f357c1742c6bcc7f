import { live } from '@radwork/contract/identity/live';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                     asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/live authenticated 401       200  200  200  200  204  none      403    200
  `,
  unaudited: [live],
});
