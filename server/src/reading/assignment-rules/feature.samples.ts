import { assignmentRules } from '@radwork/contract/reading/assignment-rules';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                              asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/assignment-rules              config.manage 401       200  200  403  403  403  none      403    200
    PUT    /api/assignment-rules              config.manage 401       may  may  403  403  403  none      403    may
    POST   /api/assignment-rules/dry-run      config.manage 401       may  may  403  403  403  none      403    may
  `,
  unaudited: [assignmentRules.read],
  bodies: [
    [assignmentRules.save, { revision: -1, rules: [] }],
    [assignmentRules.dryRun, { period: 'WEEK', rules: [] }],
  ],
  after: ['groups'],
  insert: async ({ db }, { id, mark }) => {
    const conditions = { modalities: [], bodyParts: [], sites: [], priorities: [], shift: null };
    await db
      .insertInto('assignment_rules')
      .values({
        id: newId(),
        position: 0,
        name: mark,
        conditions: JSON.stringify(conditions),
        assignee_kind: 'GROUP',
        group_id: id('groupId'),
      })
      .execute();
  },
});
