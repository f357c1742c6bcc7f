import { hangingRules } from '@radwork/contract/reading/hanging-rules';
import { defineSamples } from '#test/feature-samples.ts';

const rule = {
  modality: 'CT',
  bodyPart: 'chest',
  monitors: null,
  layout: '1x2',
  prior: 'never',
  panes: [],
  linkedScroll: 'usual',
  window: null,
} as const;

export const samples = defineSamples({
  access: `
                                       asks for   anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/hanging-rules          study.view 401       200  200  200  200  403  none      403    200
    POST   /api/hanging-rules          study.view 401       may  may  may  may  403  none      403    may
    PUT    /api/hanging-rules/{id}     study.view 401       may  may  rule rule 403  404       403    may
    POST   /api/hanging-rules/{id}/move study.view 401      may  may  rule rule 403  404       403    may
    DELETE /api/hanging-rules/{id}     study.view 401       may  may  rule rule 403  404       403    may
  `,
  unaudited: [hangingRules.list],
  ids: { '/hanging-rules/': 'hangingRuleId' },
  bodies: [
    [hangingRules.create, rule],
    [hangingRules.update, { ...rule, revision: 1 }],
    [hangingRules.move, { at: 0 }],
  ],
  fill: async ({ personOf, mark }) => {
    const created = await personOf('ADMIN').send(hangingRules.create, {
      body: { ...rule, panes: [{ words: mark }], isShared: true },
    });
    return { hangingRuleId: created.data.id };
  },
});
