import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                        asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/studies                 study.view   401       200  200  200  200  403  none      403    200
    POST   /api/studies                 study.create 401       may  may  may  403  403  none      403    may
    GET    /api/studies/deleted         study.delete 401       200  200  403  403  403  none      403    200
    POST   /api/studies/export          study.export 401       may  may  may  403  403  none      403    may
    GET    /api/studies/filter-choices  study.view   401       200  200  200  200  403  none      403    200
    GET    /api/studies/patient/{id}    study.view   401       200  200  200  200  403  404       403    200
    GET    /api/studies/pending         study.view   401       200  200  200  200  403  none      403    200
    GET    /api/studies/recent          study.view   401       200  200  200  200  403  none      403    200
    GET    /api/studies/search          study.view   401       200  200  200  200  403  none      403    200
    GET    /api/studies/search/ids      study.view   401       200  200  200  200  403  none      403    200
    GET    /api/studies/uid/{studyUid}  study.view   401       200  200  200  200  403  404       403    200
    GET    /api/studies/views           study.view   401       200  200  200  200  403  none      403    200
    GET    /api/studies/{id}            study.view   401       200  200  200  200  403  404       403    200
    PUT    /api/studies/{id}            study.edit   401       may  may  may  403  403  404       403    may
    DELETE /api/studies/{id}            study.delete 401       may  may  403  403  403  404       403    may
    GET    /api/studies/{id}/audit      study.view   401       200  200  200  200  403  404       403    200
    PUT    /api/studies/{id}/legal-hold study.delete 401       may  may  403  403  403  404       403    may
    GET    /api/studies/{id}/priors     study.view   401       200  200  200  200  403  404       403    200
    DELETE /api/studies/{id}/purge      study.delete 401       may  may  403  403  403  404       403    may
    POST   /api/studies/{id}/purge      study.delete 401       may  may  403  403  403  404       403    may
    POST   /api/studies/{id}/purge/confirmation study.delete 401 may may 403 403  403  404       403    may
    POST   /api/studies/{id}/replacement study.delete 401      may  may  403  403  403  404       403    may
    POST   /api/studies/{id}/restore    study.delete 401       may  may  403  403  403  404       403    may
    POST   /api/studies/{id}/separation study.edit   401       may  may  may  403  403  404       403    may
    GET    /api/studies/{id}/series     study.view   401       200  200  200  200  403  404       403    200
    GET    /api/studies/{id}/tags       study.view   401       200  200  200  200  403  404       403    200
  `,
  unaudited: [studies.views, studies.filterChoices],
  ids: { '/studies/': 'studyId', '/studies/patient/': 'patientId' },
  fields: { existingPatientId: 'patientId', joinId: 'orderJoinId' },
  unknown: () => ({ orderJoinId: newId() }),
  bodies: [
    [studies.create, { modality: 'CT', existingPatientId: nobody }],
    [studies.update, { revision: 1, description: 'x' }],
    [studies.allowReplacement, { reason: 'x' }],
    [studies.requestPurge, { reason: 'x' }],
    [studies.separateOrder, { joinId: nobody }],
    [studies.setLegalHold, { isOnLegalHold: true, reason: 'x' }],
  ],
  after: ['archive'],
  fill: async ({ author, mark }) => {
    const { data: page } = await author.send(studies.list);
    const study = orNotFound(page.content[0], 'study');
    const body = { revision: 1, description: mark, clinicalHistory: mark, referringPhysicianName: mark };
    await author.send(studies.update, { params: { id: study.id }, body });
    return { studyId: study.id, patientId: study.patient.id };
  },
  insert: async ({ db }, { people, id, author, mark }) => {
    const decision = { kind: 'PURGE' as const, requested_by: author.userId, requested_by_name: author.username };
    await db
      .insertInto('early_purges')
      .values({ study_id: id('studyId'), reason: mark, ...decision })
      .execute();
    await db
      .insertInto('refused_arrivals')
      .values({ study_id: id('studyId'), files: 1 })
      .execute();
    const orderJoinId = newId();
    await db
      .insertInto('order_joins')
      .values({
        id: orderJoinId,
        study_id: id('studyId'),
        ordered_uid: newUid(),
        study_instance_uid: newUid(),
        issuer: mark,
        order_before: JSON.stringify({ description: mark }),
        assignments_before: '[]',
      })
      .execute();
    const participants = Array.from(people.values(), ({ userId }) => ({
      study_id: id('studyId'),
      user_id: userId,
      role: 'SHARED' as const,
    }));
    await db.insertInto('study_participants').values(participants).execute();
    return { orderJoinId };
  },
});
