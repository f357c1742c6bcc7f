import { portal } from '@radwork/contract/reading/portal';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                         asks for anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/portal/report/{hash}     public   200       200  200  200  200  200  none      none   none
    POST   /api/portal/report/{hash}     public   200       200  200  200  200  200  none      none   none
    POST   /api/portal/report/{hash}/pdf public   200       200  200  200  200  200  none      none   none
  `,
  parameters: { hash: 'linkHash' },
  unknown: () => ({ linkHash: 'x'.repeat(43) }),
  bodies: [
    [portal.open, { code: 'wrong' }],
    [portal.pdf, {}],
  ],
  after: ['critical-findings'],
  fill: async ({ world, id }) => {
    await world.send(portal.report, { params: { hash: id('linkHash') } });
  },
});
