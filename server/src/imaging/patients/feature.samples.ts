import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { newId } from '#core/values/ids.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

const patientForm = { patientName: 'Doe, Jane', patientId: 'P-1', gender: 'F', dateOfBirth: '1961-04-30' };

export const samples = defineSamples({
  access: `
                                                       asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/patients                               patient.view  401       200  200  200  200  403  none      403    200
    POST   /api/patients                               patient.edit  401       may  may  may  403  403  none      403    may
    GET    /api/patients/export                        study.export  401       200  200  200  403  403  none      403    200
    GET    /api/patients/{id}                          patient.view  401       200  200  200  200  403  404       403    200
    PUT    /api/patients/{id}                          patient.edit  401       may  may  may  403  403  404       403    may
    DELETE /api/patients/{id}                          patient.edit  401       may  may  may  403  403  404       403    may
    GET    /api/patients/{id}/differences              patient.edit  401       200  200  200  403  403  404       403    200
    POST   /api/patients/{id}/differences/accept       patient.edit  401       may  may  may  403  403  404       403    may
    POST   /api/patients/{id}/differences/dismiss      patient.edit  401       may  may  may  403  403  404       403    may
    GET    /api/patients/{id}/duplicates               patient.merge 401       200  200  403  403  403  404       403    200
    POST   /api/patients/{id}/former-ids/release       patient.edit  401       may  may  may  403  403  404       403    may
    GET    /api/patients/{id}/merge-preview/{sourceId} patient.merge 401       200  200  403  403  403  404       403    200
    GET    /api/patients/{id}/merges                   patient.edit  401       200  200  200  403  403  404       403    200
    POST   /api/patients/{id}/merges                   patient.merge 401       may  may  403  403  403  404       403    may
    POST   /api/patients/{id}/merges/{mergeId}/undo    patient.merge 401       may  may  403  403  403  404       403    may
    POST   /api/patients/{id}/moves                    patient.merge 401       may  may  403  403  403  404       403    may
    GET    /api/patients/{id}/reports                  report.view   401       200  200  200  200  403  404       403    200
    GET    /api/studies/{id}/move-preview/{patientId}  patient.merge 401       200  200  403  403  403  404       403    200
  `,
  ids: { '/patients/': 'patientId' },
  parameters: { mergeId: 'mergeId', sourceId: 'otherPatientId', patientId: 'otherPatientId' },
  fields: { patientId: 'patientId', sourceId: 'otherPatientId', fromId: 'patientId', studyId: 'studyId' },
  bodies: [
    [patients.create, patientForm],
    [patients.update, { ...patientForm, revision: 1 }],
    [patients.releaseFormerId, { patientId: 'x', issuer: '' }],
    [patientMerges.merge, { sourceId: nobody, revision: 1, sourceRevision: 1 }],
    [patientMerges.move, { studyId: nobody, studyRevision: 1, fromId: nobody, toRevision: 1 }],
    [patientMerges.acceptDifference, { differenceId: nobody, revision: 1 }],
    [patientMerges.dismissDifference, { differenceId: nobody }],
  ],
  after: ['studies'],
  /** Adds a merged patient record, a second patient record, and a difference. */
  insert: async ({ db }, { author, mark, id }) => {
    const [mergedPatientId, otherPatientId, mergeId] = [newId(), newId(), newId()];
    const survivor = id('patientId');
    await db
      .insertInto('patients')
      .values({ id: mergedPatientId, patient_id: `${mark}-2`, patient_name: `${mark}^Person`, merged_into: survivor })
      .execute();
    await db
      .insertInto('patients')
      .values({ id: otherPatientId, patient_id: `${mark}-3`, patient_name: `${mark}^Person` })
      .execute();
    await db
      .insertInto('patient_merges')
      .values({
        id: mergeId,
        kind: 'MERGE',
        survivor_id: survivor,
        source_id: mergedPatientId,
        made_by: author.userId,
      })
      .execute();
    await db
      .insertInto('patient_differences')
      .values({ id: newId(), patient_id: survivor, field: 'address', value: mark, study_id: id('studyId') })
      .execute();
    return { mergeId, mergedPatientId, otherPatientId };
  },
});
