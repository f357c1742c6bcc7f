import { keptLayouts } from '@radwork/contract/reading/kept-layouts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                             asks for   anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/kept-layouts study.view 401       200  200  200  200  403  none      403    200
    PUT    /api/kept-layouts study.view 401       may  may  may  may  403  none      403    may
    DELETE /api/kept-layouts study.view 401       may  may  may  may  403  none      403    may
  `,
  unaudited: [keptLayouts.mine],
  bodies: [[keptLayouts.keep, { kind: 'MR head', layout: '1x2', roles: ['T2'] }]],
  queries: [[keptLayouts.forget, '?kind=MR%20head']],
  insert: async ({ db }, { author, mark }) => {
    await db
      .insertInto('kept_layouts')
      .values({ user_id: author.userId, kind: mark, layout: '1x2', roles: [mark] })
      .execute();
  },
});
