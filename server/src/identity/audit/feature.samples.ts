import { audit } from '@radwork/contract/identity/audit';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                             asks for   anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/audit        audit.view 401       200  200  403  403  403  none      403    200
    GET    /api/audit/export audit.view 401       200  200  403  403  403  none      403    200
    GET    /api/audit/people audit.view 401       200  200  403  403  403  none      403    200
    POST   /api/audit/verify audit.view 401       may  may  403  403  403  none      403    may
  `,
  unaudited: [audit.people],
});
