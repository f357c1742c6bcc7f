import { macros } from '@radwork/contract/reading/macros';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                            asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/macros      report.view 401       200  200  200  200  403  none      403    200
    POST   /api/macros      report.view 401       rule rule may  rule 403  none      403    403
    PUT    /api/macros/{id} report.view 401       may  may  rule rule 403  404       403    may
    DELETE /api/macros/{id} report.view 401       may  may  rule rule 403  404       403    may
  `,
  unaudited: [macros.list],
  ids: { '/macros/': 'macroId' },
  bodies: [
    [macros.create, { abbreviation: 'abc', name: 'x', text: 'x' }],
    [macros.update, { abbreviation: 'abc', name: 'x', text: 'x', revision: 1 }],
  ],
  fill: async ({ personOf, mark }) => {
    const macro = await personOf('ADMIN').send(macros.create, {
      body: { abbreviation: `m${mark}`.slice(0, 24), name: mark, text: mark, isShared: true },
    });
    return { macroId: macro.data.id };
  },
});
