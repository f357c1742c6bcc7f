import { peerReviews } from '@radwork/contract/reading/peer-reviews';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

const score = { grade: 3, isSignificant: true, comment: 'x' };
const settings = { percent: 5, hidesAuthor: true, hidesReviewer: true, grades: ['a', 'b', 'c', 'd'] };

export const samples = defineSamples({
  access: `
                                            asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/peer-review-figures         config.manage 401       200  200  403  403  403  none      403    200
    GET    /api/peer-review-settings        config.manage 401       200  200  403  403  403  none      403    200
    PUT    /api/peer-review-settings        config.manage 401       may  may  403  403  403  none      403    may
    GET    /api/peer-review-terms           report.review 401       403  403  200  403  403  none      403    403
    GET    /api/peer-reviews                report.edit   401       403  403  200  403  403  none      403    403
    GET    /api/peer-reviews/export         study.export  401       403  403  200  403  403  none      403    403
    GET    /api/peer-reviews/{id}           report.edit   401       403  403  200  403  403  404       403    403
    POST   /api/peer-reviews/{id}/pass      report.review 401       403  403  rule 403  403  404       403    403
    PUT    /api/peer-reviews/{id}/reply     report.edit   401       403  403  may  403  403  404       403    403
    PUT    /api/peer-reviews/{id}/score     report.review 401       403  403  rule 403  403  404       403    403
    POST   /api/reports/{id}/peer-reviews   report.review 401       403  403  rule 403  403  404       403    403
  `,
  unaudited: [peerReviews.figures, peerReviews.settings, peerReviews.terms],
  ids: { '/peer-reviews/': 'peerReviewId' },
  bodies: [
    [peerReviews.choose, score],
    [peerReviews.score, score],
    [peerReviews.reply, { reply: 'x' }],
    [peerReviews.saveSettings, settings],
  ],
  after: ['reports'],
  fill: async ({ world, tenant, mark, id, people }) => {
    const peerReviewId = newId();
    const reviewer = people.get('ADMIN');
    await world.inTenant(tenant, async ({ db }) => {
      await db
        .insertInto('peer_reviews')
        .values({
          id: peerReviewId,
          report_id: id('reportId'),
          reviewer_id: reviewer?.userId ?? '',
          origin: 'CHOSEN',
          state: 'SCORED',
          grade: 3,
          grade_label: mark,
          comment: mark,
          scored_at: '2026-11-30T09:00:00Z',
        })
        .execute();
      await db
        .insertInto('peer_review_settings')
        .values({ percent: 0, grades: [mark, mark, mark, mark] })
        .execute();
    });
    return { peerReviewId };
  },
});
