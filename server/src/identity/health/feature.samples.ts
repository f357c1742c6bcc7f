import { apiDocument } from '@radwork/contract/api-document';
import { health, probes } from '@radwork/contract/identity/health';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                             asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/about        public        200       200  200  200  200  200  none      none   none
    GET    /health/live      public        200       200  200  200  200  200  none      none   none
    GET    /health/ready     public        200       200  200  200  200  200  none      none   none
    GET    /api/openapi.json authenticated 401       200  200  200  200  200  none      403    200
  `,
  unaudited: [health.about, apiDocument, probes.live, probes.ready],
});
