import { followUps } from '@radwork/contract/reading/follow-ups';
import { defineSamples, nobody } from '#test/feature-samples.ts';

const examination = { modality: 'CT', bodyPart: 'CHEST', dueFrom: '2026-12-01', dueTo: '2027-01-01' };

export const samples = defineSamples({
  access: `
                                                        asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/follow-up-settings                      config.manage 401       200  200  403  403  403  none      403    200
    PUT    /api/follow-up-settings                      config.manage 401       may  may  403  403  403  none      403    may
    GET    /api/follow-ups                              report.view   401       200  200  200  200  403  none      403    200
    GET    /api/follow-ups/export                       study.export  401       200  200  200  403  403  none      403    200
    GET    /api/follow-ups/{id}                         report.view   401       200  200  200  200  403  404       403    200
    PUT    /api/follow-ups/{id}                         report.view   401       rule rule may  rule 403  404       403    403
    POST   /api/follow-ups/{id}/match-dismissals        report.view   401       rule rule may  rule 403  404       403    403
    GET    /api/follow-ups/{id}/owners                  report.view   401       200  200  200  200  403  404       403    200
    POST   /api/follow-ups/{id}/review                  report.view   401       rule rule may  rule 403  404       403    403
    PUT    /api/follow-ups/{id}/state                   report.view   401       rule rule may  rule 403  404       403    403
    POST   /api/reports/{id}/follow-ups                 report.edit   401       403  403  may  403  403  404       403    403
    GET    /api/studies/{id}/follow-ups                 report.view   401       200  200  200  200  403  404       403    200
  `,
  unaudited: [followUps.owners, followUps.settings],
  ids: { '/follow-ups/': 'followUpId' },
  fields: { ownerId: 'assigneeId' },
  bodies: [
    [followUps.add, { ...examination, quote: 'CT chest in 6 months' }],
    [followUps.edit, { ...examination, ownerId: nobody, revision: 1 }],
    [followUps.decide, { state: 'DECLINED', reason: 'x', revision: 1 }],
    [followUps.dismissMatch, { studyId: nobody }],
    [followUps.review, { revision: 1 }],
    [followUps.saveSettings, { owner: 'AUTHOR', remindsAuthor: false, contacts: [] }],
  ],
  after: ['reports'],
  fill: async ({ author, mark, id }) => {
    const { data } = await author.send(followUps.add, {
      params: { id: id('reportId') },
      body: { ...examination, quote: mark },
    });
    return { followUpId: data.id };
  },
  insert: async ({ db }, { author, id }) => {
    await db
      .insertInto('follow_up_candidates')
      .values({ follow_up_id: id('followUpId'), study_id: id('studyId') })
      .execute();
    await db.insertInto('follow_up_settings').values({ owner: 'AUTHOR' }).execute();
    await db.insertInto('follow_up_contacts').values({ user_id: author.userId }).execute();
  },
});
