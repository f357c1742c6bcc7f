import { identities } from '@radwork/contract/imaging/identities';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                         asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/identities               patient.merge 401       200  200  403  403  403  none      403    200
    GET    /api/identities/count         patient.merge 401       200  200  403  403  403  none      403    200
    POST   /api/identities/{id}/decision patient.merge 401       may  may  403  403  403  404       403    may
    POST   /api/identities/{id}/undo     patient.merge 401       may  may  403  403  403  404       403    may
  `,
  unaudited: [identities.count],
  ids: { '/identities/': 'identityQuestionId' },
  bodies: [[identities.decide, { decision: 'SAME_PERSON', studyRevision: 1 }]],
  after: ['patients'],
  insert: async ({ db }, { mark, id }) => {
    const identityQuestionId = newId();
    await db
      .insertInto('identity_questions')
      .values({
        id: identityQuestionId,
        study_id: id('studyId'),
        known_patient_id: id('mergedPatientId'),
        provisional_patient_id: id('patientId'),
        said_name: mark,
        said_gender: 'U',
        contradictions: ['NAME'],
        origin: 'ARRIVED',
        state: 'ANOTHER_PERSON',
        decided_at: sql`now()`,
      })
      .execute();
    await db.insertInto('identity_searches').values({ patients_in_all: 1 }).execute();
    return { identityQuestionId };
  },
});
