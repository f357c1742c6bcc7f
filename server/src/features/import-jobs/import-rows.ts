import type { ImportJob } from '@radwork/contract/import-jobs';
import { displayName } from '@radwork/dicom/person-name';
import { type RawBuilder, sql } from 'kysely';
import { found } from '#core/problem.ts';
import type { Scope, Session } from '#core/scope.ts';
import { mayKnowStudy } from '#core/study-access.ts';

/**
 * The condition that the caller may know of an import, which names a patient: whoever sees only the studies that
 * concern them sees only the imports that they asked for.
 */
const mayKnowImport = ({ userId, userType }: Session): RawBuilder<boolean> =>
  userType === 'REFERRING_PHYSICIAN' || userType === 'PATIENT' ? sql`j.requested_by = ${userId}` : sql`true`;

/** The imports that the caller may know of, with what is here of their studies. */
export const knownImports = ({ db, session }: Scope) =>
  db
    .selectFrom('import_jobs as j')
    .leftJoin('studies as s', (join) =>
      join
        .onRef('s.study_instance_uid', '=', 'j.study_instance_uid')
        .on('s.deleted_at', 'is', null)
        .on(mayKnowStudy(session, 's.id')),
    )
    .selectAll('j')
    .select(['s.id as study_id', 's.patient_name as study_patient_name', 's.study_description as stored_description'])
    .where(mayKnowImport(session));

type KnownImport = Awaited<ReturnType<ReturnType<typeof knownImports>['executeTakeFirstOrThrow']>>;

/** The import with this id. Throws a 404 when there is none that the caller may know of. */
export const importById = async (scope: Scope, id: string): Promise<KnownImport> =>
  found(await knownImports(scope).where('j.id', '=', id).executeTakeFirst(), 'import');

/** Writes down how many failures there are of an import whose run did not get to its end. */
export const countFailures = async ({ db }: Scope, id: string): Promise<void> => {
  await db
    .updateTable('import_jobs')
    .set({ failed: sql`(select count(*) from import_failures where import_job_id = import_jobs.id)` })
    .where('id', '=', id)
    .execute();
};

/** An import as people see it: what its study says of itself, and until some of it is here what they were told. */
export const toImportJob = (row: KnownImport): ImportJob => ({
  id: row.id,
  jobId: row.study_instance_uid,
  remoteConfigId: row.remote_config_id,
  remoteName: row.remote_name,
  protocol: row.protocol,
  studyInstanceUID: row.study_instance_uid,
  patientName: displayName(row.study_patient_name ?? row.patient_name),
  studyDescription: row.stored_description ?? row.study_description,
  state: row.state,
  expected: row.expected,
  received: row.received,
  failed: row.failed,
  cause: row.cause,
  attempts: row.attempts,
  requestedBy: row.requested_by_name,
  createdDate: row.created_at,
  startedDate: row.started_at,
  finishedDate: row.finished_at,
  studyId: row.study_id,
});
