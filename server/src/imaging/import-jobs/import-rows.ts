import type { ImportJob } from '@radwork/contract/imaging/import-jobs';
import { displayName } from '@radwork/dicom/person-name';
import { type RawBuilder, sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';

/**
 * SQL condition for the imports of which the caller may know. An import names a patient, so referring physicians and
 * patients see only the imports that they requested.
 */
const mayKnowImport = ({ userId, userType }: Session): RawBuilder<boolean> =>
  userType === 'REFERRING_PHYSICIAN' || userType === 'PATIENT' ? sql`j.requested_by = ${userId}` : sql`true`;

/** Selects the imports of which the caller may know, with the stored data of their studies. */
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

/** Selects the imports of which the caller may know, in one state or in any. */
export const importsInState = (scope: Scope, state: ImportJob['state'] | undefined) =>
  state ? knownImports(scope).where('j.state', '=', state) : knownImports(scope);

/** Returns the imports with these ids, without those of which the caller may not know, the newest first. */
export const importsOf = async (scope: Scope, ids: readonly string[]): Promise<ImportJob[]> => {
  const rows = await knownImports(scope).where('j.id', 'in', ids).orderBy('j.id', 'desc').execute();
  return rows.map(toImportJob);
};

/** Returns the import with this id. Throws 404 when the caller may not know of it. */
export const importById = async (scope: Scope, id: string): Promise<KnownImport> =>
  orNotFound(await knownImports(scope).where('j.id', '=', id).executeTakeFirst(), 'import');

/** Deletes the failures of an import whose instances have arrived from any source. */
export const deleteArrivedFailures = async (scope: Scope, id: string): Promise<void> => {
  const { db } = scope;
  await withRejected(scope, () =>
    sql`
    delete from import_failures f using import_jobs j, studies s, instances i
    where f.import_job_id = ${id} and j.id = f.import_job_id and i.sop_instance_uid = f.sop_instance_uid
      and i.missing_since is null
      and s.id = i.study_id and s.study_instance_uid = j.study_instance_uid and s.deleted_at is null
  `.execute(db),
  );
};

type EarlierRun = { id: string; study_instance_uid: string; expected: number | null; received: number };

/**
 * Counts the instances in our archive that an earlier run expected. Needed if the archive does not list them again. Our
 * study may also contain other instances. The count is therefore the greater of two numbers: the instances received by
 * the earlier run, and the expected instances without a recorded failure. It is never more than the number of stored
 * instances.
 */
export const countStoredInstances = async (scope: Scope, earlier: EarlierRun): Promise<number> => {
  await deleteArrivedFailures(scope, earlier.id);
  const { rows } = await withRejected(scope, () =>
    sql<{ here: number }>`
    select least(
      (select count(*) from instances i join studies s on s.id = i.study_id
        where s.study_instance_uid = ${earlier.study_instance_uid} and s.deleted_at is null and i.missing_since is null),
      greatest(${earlier.received}::int,
        ${earlier.expected ?? 0}::int - (select count(*) from import_failures where import_job_id = ${earlier.id}))) as here
  `.execute(scope.db),
  );
  return rows[0]?.here ?? 0;
};

/**
 * Sets the number of failures of a canceled import: instances that failed in an earlier run and have still not arrived.
 */
export const countFailures = async (scope: Scope, id: string): Promise<void> => {
  await deleteArrivedFailures(scope, id);
  await scope.db
    .updateTable('import_jobs')
    .set({ failed: sql`(select count(*) from import_failures where import_job_id = import_jobs.id)` })
    .where('id', '=', id)
    // Skips an import that was restarted after the cancellation. This worker may learn of the cancellation late, or may
    // have lost the import to another worker.
    .where('state', '=', 'CANCELLED')
    .execute();
};

/** Converts an import for display. Before any image has arrived, the import shows the study as the requester saw it. */
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
