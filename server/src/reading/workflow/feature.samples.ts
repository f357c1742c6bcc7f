import { workflow } from '@radwork/contract/reading/workflow';
import { newId } from '#core/values/ids.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                                    asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/users/assignable                                    study.assign  401       200  200  200  403  403  none      403    200
    GET    /api/workflow/studies/{id}                               study.view    401       200  200  200  200  403  404       403    200
    POST   /api/workflow/studies/{id}/assignments                   study.assign  401       may  may  may  403  403  404       403    403
    DELETE /api/workflow/studies/{id}/assignments/{userId}          study.assign  401       may  may  may  403  403  404       403    403
    PUT    /api/workflow/studies/{id}/assignments/{userId}/complete study.view    401       may  may  may  rule 403  404       403    403
    PUT    /api/workflow/studies/{id}/assignments/{userId}/due-date study.assign  401       may  may  may  403  403  404       403    403
    DELETE /api/workflow/studies/{id}/group-assignments/{groupId}   study.assign  401       may  may  may  403  403  404       403    403
    GET    /api/workflow/studies/{id}/history                       study.view    401       200  200  200  200  403  404       403    200
    GET    /api/workflow/studies/{id}/history/export                study.view    401       200  200  200  200  403  404       403    200
    POST   /api/workflow/studies/{id}/reinstate                     tenant.manage 401       may  403  403  403  403  404       403    403
    PUT    /api/workflow/studies/{id}/status                        study.status  401       may  may  may  403  403  404       403    403
  `,
  unaudited: [workflow.assignable],
  ids: { '/workflow/studies/': 'studyId' },
  parameters: { userId: 'assigneeId', groupId: 'groupId' },
  fields: { userIds: 'assigneeId' },
  bodies: [
    [workflow.reinstate, { reason: 'x' }],
    [workflow.assign, { userIds: [nobody] }],
    [workflow.extend, { dueDate: '2126-11-21T12:00:00Z' }],
    [workflow.complete, { notes: 'x' }],
  ],
  queries: [[workflow.changeStatus, '?newStatus=CANCELLED']],
  after: ['studies', 'groups'],
  fill: async ({ author }) => ({ assigneeId: author.userId }),
  insert: async ({ db }, { author: { userId }, id, mark }) => {
    await db
      .insertInto('study_assignments')
      .values({ id: newId(), study_id: id('studyId'), user_id: userId, assigned_by: userId, notes: mark })
      .execute();
    await db
      .insertInto('group_assignments')
      .values({ id: newId(), study_id: id('studyId'), group_id: id('groupId'), assigned_by: userId, notes: mark })
      .execute();
  },
});
