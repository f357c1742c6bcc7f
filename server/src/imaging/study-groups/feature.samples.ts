import { studyGroups } from '@radwork/contract/imaging/study-groups';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/studies/{id}/groups study.view   401       200  200  200  200  403  404       403    200
    PUT    /api/studies/{id}/groups study.assign 401       may  may  may  403  403  404       403    may
  `,
  fields: { groupIds: 'groupId' },
  bodies: [[studyGroups.replace, { revision: 1, groupIds: [nobody] }]],
  after: ['studies', 'groups'],
});
