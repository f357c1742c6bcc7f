import { reviewPhrases } from '@radwork/contract/reading/review-phrases';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                    asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/review-phrases      report.view 401       200  200  200  200  403  none      403    200
    POST   /api/review-phrases      report.view 401       rule rule may  rule 403  none      403    403
    DELETE /api/review-phrases/{id} report.view 401       may  may  rule rule 403  404       403    may
  `,
  unaudited: [reviewPhrases.list],
  ids: { '/review-phrases/': 'reviewPhraseId' },
  bodies: [[reviewPhrases.create, { text: 'Agreed', decision: 'APPROVE' }]],
  fill: async ({ personOf, mark }) => {
    const phrase = await personOf('ADMIN').send(reviewPhrases.create, {
      body: { text: mark, decision: 'APPROVE', isShared: true },
    });
    return { reviewPhraseId: phrase.data.id };
  },
});
