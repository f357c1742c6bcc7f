import { applicationEntities } from '@radwork/contract/identity/application-entities';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                          asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/application-entities      config.manage 401       200  200  403  403  403  none      403    200
    POST   /api/application-entities      config.manage 401       may  may  403  403  403  none      403    may
    PUT    /api/application-entities/{id} config.manage 401       may  may  403  403  403  404       403    may
    DELETE /api/application-entities/{id} config.manage 401       may  may  403  403  403  404       403    may
  `,
  unaudited: [applicationEntities.list],
  ids: { '/application-entities/': 'applicationEntityId' },
  bodies: [
    [applicationEntities.create, { calledAeTitle: 'OURS', callingAeTitle: 'CT1' }],
    [applicationEntities.update, { calledAeTitle: 'OURS', callingAeTitle: 'CT1', revision: 1 }],
  ],
  insert: async ({ db }, { mark }) => {
    const applicationEntityId = newId();
    await db
      .insertInto('application_entities')
      .values({
        id: applicationEntityId,
        called_ae_title: applicationEntityId.slice(-16),
        calling_ae_title: mark.slice(0, 16),
        description: mark,
      })
      .execute();
    return { applicationEntityId };
  },
});
