import { importJobs } from '@radwork/contract/imaging/import-jobs';
import { uidFrom } from '@radwork/dicom/uid';
import { newId } from '#core/values/ids.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                       asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/queue-jobs             study.import 401       200  200  200  403  403  none      403    200
    POST   /api/queue-jobs             study.import 401       may  may  may  403  403  none      403    may
    GET    /api/queue-jobs/export      study.export 401       200  200  200  403  403  none      403    200
    GET    /api/queue-jobs/{id}        study.import 401       200  200  200  403  403  404       403    200
    POST   /api/queue-jobs/{id}/cancel study.import 401       may  may  may  403  403  404       403    may
    POST   /api/queue-jobs/{id}/retry  study.import 401       may  may  may  403  403  404       403    may
  `,
  ids: { '/queue-jobs/': 'importJobId' },
  fields: { remoteConfigId: 'configurationId' },
  bodies: [[importJobs.create, { jobId: '1.2.3', remoteConfigId: nobody }]],
  /** Adds a finished import, and a job in a queue without a worker. */
  insert: async ({ db }, { tenant, author, mark }) => {
    const importJobId = newId();
    await db
      .insertInto('import_jobs')
      .values({
        id: importJobId,
        remote_config_id: newId(),
        remote_name: mark,
        protocol: 'DICOMWEB',
        study_instance_uid: uidFrom(mark, 'imported study'),
        patient_name: `${mark}^Person`,
        study_description: mark,
        state: 'FAILED',
        cause: mark,
        requested_by: author.userId,
        requested_by_tenant_id: tenant.id,
        requested_by_name: mark,
        finished_at: '2026-11-20T09:30:00Z',
      })
      .execute();
    await db
      .insertInto('import_failures')
      .values({ import_job_id: importJobId, sop_instance_uid: uidFrom(mark, 'missing'), reason: mark })
      .execute();
    await db.insertInto('jobs').values({ id: importJobId, queue: 'nobody' }).execute();
    return { importJobId };
  },
});
