import { t } from '@radwork/contract/core/translate';
import {
  type ImportJob,
  importJobMoves,
  importJobs,
  isActive,
  isRetryable,
} from '@radwork/contract/imaging/import-jobs';
import { type ImportJobState, importJobStates } from '@radwork/contract/imaging/import-job-states';
import type { Body, Query, Reply } from '@radwork/contract/core/endpoint';
import { statesBefore } from '@radwork/contract/core/moves';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { enqueueJob, withdrawJob } from '#core/jobs/jobs.ts';
import { conflict } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { usableConfiguration } from '#imaging/remote-archives/stored-configuration.ts';
import { countFailures, importById, importsInState, toImportJob } from './import-rows.ts';

export const importQueue = 'imports';

const mostFailuresShown = 1000;

/**
 * Queues the import of a study. If the same study is being imported from the same archive, returns that import. Throws
 * 404 when the caller has no such archive.
 */
export const create = async (scope: Scope, request: Body<typeof importJobs.create>): Promise<ImportJob> => {
  const remote = await usableConfiguration(scope, request.remoteConfigId);
  await takeTurn(scope, request.remoteConfigId, request.jobId);
  const active = await activeImport(scope, request.remoteConfigId, request.jobId);
  if (active) return toImportJob(await importById(scope, active.id));
  const id = newId();
  const displayValues =
    typeof request.parameters === 'object' ? request.parameters : { patientName: '', studyDescription: '' };
  await scope.db
    .insertInto('import_jobs')
    .values({
      id,
      remote_config_id: request.remoteConfigId,
      remote_name: remote.ae_title,
      protocol: remote.protocol,
      study_instance_uid: request.jobId,
      patient_name: displayValues.patientName,
      study_description: displayValues.studyDescription,
      ...requesterColumns(scope.session),
    })
    .execute();
  await enqueueJob(scope, importQueue, id);
  await audit(scope, 'import.start', { entity: 'import_job', entityId: id });
  await announce(scope, { kind: 'job', jobId: id });
  return toImportJob(await importById(scope, id));
};

/** Lists the imports of the tenant, latest first. */
export const list = async (
  scope: Scope,
  { state, ...paging }: Query<typeof importJobs.list>,
): Promise<Page<ImportJob>> => {
  const imports = importsInState(scope, state);
  const { total } = await imports
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await imports
    .orderBy('j.id', 'desc')
    .limit(paging.size)
    .offset(paging.page * paging.size)
    .execute();
  return pageOf(rows.map(toImportJob), total, paging);
};

/** Returns one import with its missing instances, at most a thousand, and why they are missing. */
export const read = async (scope: Scope, id: string): Promise<Reply<typeof importJobs.read>> => {
  const row = await importById(scope, id);
  const failures = await scope.db
    .selectFrom('import_failures')
    .select(['sop_instance_uid as sopInstanceUID', 'reason'])
    .where('import_job_id', '=', id)
    .orderBy('sop_instance_uid')
    .limit(mostFailuresShown)
    .execute();
  return { ...toImportJob(row), failures };
};

/**
 * Queues an import again, in the name of the caller, for the missing instances. Throws 409 when the import is active or
 * done. Throws 404 when the caller may not use its archive now.
 */
export const retry = async (scope: Scope, id: string): Promise<ImportJob> => {
  const { remote_config_id, study_instance_uid } = await importById(scope, id);
  await usableConfiguration(scope, remote_config_id);
  await takeTurn(scope, remote_config_id, study_instance_uid);
  if (await activeImport(scope, remote_config_id, study_instance_uid, id)) {
    throw conflict('import.active', t`An import of this study is already running`);
  }
  const { numUpdatedRows } = await scope.db
    .updateTable('import_jobs')
    .set({
      state: 'QUEUED',
      cause: '',
      failed: 0,
      started_at: null,
      finished_at: null,
      ...requesterColumns(scope.session),
    })
    .where('id', '=', id)
    .where('state', 'in', importJobStates.filter(isRetryable))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await refuseMove(scope, id, 'retried');
  await enqueueJob(scope, importQueue, id);
  await audit(scope, 'import.retry', { entity: 'import_job', entityId: id });
  await announce(scope, { kind: 'job', jobId: id });
  return toImportJob(await importById(scope, id));
};

/** Cancels an import. Instances that have arrived are kept. Throws 409 when it has already ended. */
export const cancel = async (scope: Scope, id: string): Promise<ImportJob> => {
  await importById(scope, id);
  // Locks the job before the import, as the end of a run does. In another order, the two could deadlock.
  await withdrawJob(scope, id);
  const { numUpdatedRows } = await scope.db
    .updateTable('import_jobs')
    .set({ state: 'CANCELLED', cause: '', finished_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', statesBefore(importJobMoves, 'CANCELLED'))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await refuseMove(scope, id, 'canceled');
  await countFailures(scope, id);
  await audit(scope, 'import.cancel', { entity: 'import_job', entityId: id });
  await announce(scope, { kind: 'job', jobId: id });
  return toImportJob(await importById(scope, id));
};

const refuseMove = async (scope: Scope, id: string, verb: 'retried' | 'canceled'): Promise<never> => {
  const { state } = await importById(scope, id);
  const words = wordsFor[state]();
  const message =
    verb === 'retried'
      ? t`An import that is ${words} cannot be retried`
      : t`An import that is ${words} cannot be canceled`;
  throw conflict('import.move', message);
};

const wordsFor: Record<ImportJobState, () => string> = {
  QUEUED: () => t`waiting`,
  RUNNING: () => t`running`,
  PARTIAL: () => t`partly done`,
  DONE: () => t`done`,
  FAILED: () => t`failed`,
  CANCELLED: () => t`canceled`,
};

/** Requests for the same study and archive run one after another, so the second finds the active import. */
const takeTurn = async ({ db, session }: Scope, configId: string, studyInstanceUID: string) => {
  const key = `import ${session.tenantId} ${configId} ${studyInstanceUID}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
};

const activeImport = ({ db }: Scope, configId: string, studyInstanceUID: string, butNot?: string) => {
  const active = db
    .selectFrom('import_jobs')
    .select('id')
    .where('remote_config_id', '=', configId)
    .where('study_instance_uid', '=', studyInstanceUID)
    .where('state', 'in', importJobStates.filter(isActive));
  return (butNot === undefined ? active : active.where('id', '<>', butNot)).executeTakeFirst();
};

const requesterColumns = ({ userId, name, tenantId, homeTenantId }: Session) => ({
  requested_by: userId,
  requested_by_tenant_id: homeTenantId ?? tenantId,
  requested_by_name: name,
});
