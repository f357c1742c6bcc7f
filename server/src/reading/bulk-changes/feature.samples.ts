import { bulkChanges } from '@radwork/contract/reading/bulk-changes';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                           asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/bulk-changes/assignments   study.assign 401       may  may  may  403  403  none      403    may
    POST   /api/bulk-changes/priorities    study.edit   401       may  may  may  403  403  none      403    may
    POST   /api/bulk-changes/statuses      study.status 401       may  may  may  403  403  none      403    may
    POST   /api/bulk-changes/unassignments study.assign 401       may  may  may  403  403  none      403    may
  `,
  fields: { studyIds: 'studyId' },
  bodies: [
    [bulkChanges.assign, { studyIds: [nobody], userIds: [nobody] }],
    [bulkChanges.unassign, { studyIds: [nobody], userIds: [nobody] }],
    [bulkChanges.prioritize, { studyIds: [nobody], priority: 'STAT' }],
    [bulkChanges.changeStatus, { studyIds: [nobody], newStatus: 'CANCELLED' }],
  ],
});
