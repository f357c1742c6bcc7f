import { savedViews } from '@radwork/contract/imaging/saved-views';
import { defineSamples } from '#test/feature-samples.ts';

const view = { name: 'CT of today', search: { where: 'modality.is:CT;arrival.today' } };

export const samples = defineSamples({
  access: `
                                          asks for   anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/saved-views               study.view 401       200  200  200  200  403  none      403    200
    POST   /api/saved-views               study.view 401       may  may  may  may  403  none      403    may
    PUT    /api/saved-views/{id}          study.view 401       may  may  rule rule 403  404       403    may
    POST   /api/saved-views/{id}/move     study.view 401       may  may  rule rule 403  404       403    may
    PUT    /api/saved-views/{id}/default  study.view 401       may  may  may  may  403  404       403    may
    DELETE /api/saved-views/{id}          study.view 401       may  may  rule rule 403  404       403    may
    GET    /api/studies/saved-views       study.view 401       200  200  200  200  403  none      403    200
  `,
  unaudited: [savedViews.list, savedViews.counts],
  ids: { '/saved-views/': 'savedViewId' },
  bodies: [
    [savedViews.create, view],
    [savedViews.update, { ...view, revision: 1 }],
    [savedViews.move, { at: 0 }],
    [savedViews.setDefault, { isDefault: true }],
  ],
  fill: async ({ personOf, mark }) => {
    const created = await personOf('ADMIN').send(savedViews.create, {
      body: { name: mark, search: { query: mark }, owner: 'ORGANIZATION', isDefault: true },
    });
    return { savedViewId: created.data.id };
  },
});
