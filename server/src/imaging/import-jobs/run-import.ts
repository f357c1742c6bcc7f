import { type ImportJobState, importJobStates } from '@radwork/contract/imaging/import-job-states';
import { importJobMoves, isActive } from '@radwork/contract/imaging/import-jobs';
import { statesBefore } from '@radwork/contract/core/moves';
import { type Selectable, sql } from 'kysely';
import { closedToCaller } from '#imaging/archive/index/hidden-studies.ts';
import { notYours } from '#imaging/archive/index/plan-batch.ts';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { isDatabaseFault } from '#core/database/database.ts';
import { finishJob, Interruption, isClaimed, type Job, putBackJob, type RunJob, RetryLater } from '#core/jobs/jobs.ts';
import { problemOf } from '#core/http/problem-of-error.ts';
import { Problem } from '#core/http/problem.ts';
import type { ImportJobs } from '#core/database/schema.ts';
import { type Scope, type Session, systemSession } from '#core/access/scope.ts';
import { RemoteError, type RemoteSource } from '#imaging/remote-archives/remote-source.ts';
import { sessionOfAsker } from './requester-session.ts';
import { fetchStudy, type Retries } from './fetch-study.ts';
import { countFailures, countStoredInstances, deleteArrivedFailures } from './import-rows.ts';
import { causeOf, countExpected, type Failure, failuresOf, isListed, newProgress, type Progress } from './progress.ts';
import { notifyRequester } from './notify-requester.ts';

export type Importing = {
  context: Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics'>;
  /** Opens an archive for a session. Throws a RemoteError or a Problem when that is impossible. */
  openSource: (session: Session, configId: string) => Promise<RemoteSource>;
  retries: Retries;
  /** Milliseconds without a requested instance after which the import fails. Default: no limit. */
  idleTimeoutMs?: number;
  /** Seconds until a retry when our storage or database blocked the import. Default: one minute. */
  pauseSeconds?: number;
  /** Called with internal errors that make a file fail or an import wait. */
  onError: (error: unknown) => void;
};

type ImportRow = Selectable<ImportJobs>;

/** Number of attempts for an import that crashes the server or fails unexpectedly. */
const mostAttempts = 5;
const givenUp = `The server failed ${mostAttempts} times during this import. Ask your administrator to check the server log, then retry.`;

const waitsForUs = 'The storage or database of this server is not available. The import will continue automatically.';

/** Milliseconds between two announcements of progress to browsers. */
const announcedEvery = 1000;

/** Runs the import of a job and continues an earlier run. */
export const importStudy =
  (importing: Importing): RunJob =>
  async (job, signal) => {
    const { scopes } = importing.context;
    const asServer = <T>(work: (scope: Scope) => Promise<T>) => scopes.inTenant(systemSession(job.tenantId), work);
    try {
      const row = await asServer((scope) => begin(scope, job));
      if (!row) return;
      const session = await sessionOfAsker(scopes, row, 'study.import');
      const outcome = session ? await outcomeOf(importing, row, session, job, signal) : notAllowed;
      await scopes.inTenant(session ?? systemSession(job.tenantId), (scope) =>
        signal.aborted ? interrupt(scope, job, outcome, signal.reason) : end(scope, job, row, outcome),
      );
    } catch (error) {
      const mayPass = isDatabaseFault(error) || problemOf(error).status === unavailable;
      // Shows the import as waiting for its retry. If this update fails too, its state stays RUNNING.
      await asServer(async (scope) => {
        if (await isClaimed(scope, job)) await wait(scope, job, mayPass ? waitsForUs : '');
      }).catch(() => {});
      if (!mayPass) throw error;
      importing.onError(error);
      throw new RetryLater(importing.pauseSeconds ?? 60, { isAttempt: false });
    }
  };

/** Status of an error when the storage or database is busy or cannot be reached. */
const unavailable = 503;

/** Result of a run: its progress, and why it is incomplete. */
type Outcome = { progress: Progress; cause: string };

const failure = (cause: string): Outcome => ({ progress: newProgress(), cause });
const notAllowed = failure('The user who started this import can no longer import studies');

const outcomeOf = async (
  { context, openSource, retries, idleTimeoutMs: longestLull, onError }: Importing,
  row: ImportRow,
  session: Session,
  job: Job,
  signal: AbortSignal,
): Promise<Outcome> => {
  if (job.attempt > mostAttempts) return failure(givenUp);
  const inTenant = <T>(work: (scope: Scope) => Promise<T>) => context.scopes.inTenant(session, work);
  const inWholeTenant = <T>(work: (scope: Scope) => Promise<T>) => context.scopes.inWholeTenant(session, work);
  // Checks the requester's access before the import, because images that arrive by C-MOVE are stored without a check of
  // it.
  if (await inWholeTenant((scope) => isHidden(scope, row))) return failure(notYours());
  if (await inWholeTenant((scope) => isInRecycleBin(scope, row))) {
    return failure('The study is in the recycle bin. Restore it before importing it.');
  }
  const progress = newProgress(row.expected ?? 0);
  const isTimeToAnnounce = createPace(announcedEvery);
  try {
    await fetchStudy(
      {
        archive: context,
        session,
        fileSource: { kind: 'REMOTE', id: row.remote_config_id },
        source: await openSource(session, row.remote_config_id),
        studyInstanceUID: row.study_instance_uid,
        audited: new Set(),
        retries,
        idleTimeoutMs: longestLull,
        onAttempt: () => inTenant((scope) => countAttempt(scope, job)),
        onProgress: (news) =>
          inTenant(async (scope) => {
            await saveProgress(scope, job, news, 'RUNNING');
            await deleteArrivedFailures(scope, job.id);
            if (isTimeToAnnounce()) await announceJob(scope, job);
          }),
        onError,
      },
      progress,
      signal,
    );
    return { progress, cause: causeOf(progress) };
  } catch (error) {
    if (error instanceof RemoteError) return { progress, cause: error.message };
    // From status 500 on, the error is ours, such as an unavailable store. It does not end the import.
    if (error instanceof Problem && error.status < 500) return { progress, cause: problemCause(error) };
    throw error;
  }
};

const problemCause = ({ status, message }: Problem): string =>
  status === 404 ? 'The remote archive is no longer configured' : message;

const isHidden = async (scope: Scope, { study_instance_uid }: ImportRow): Promise<boolean> => {
  const studies = await scope.db
    .selectFrom('studies')
    .select('id')
    .where('study_instance_uid', '=', study_instance_uid)
    .execute();
  const hidden = await closedToCaller(
    scope,
    studies.map(({ id }) => id),
  );
  return hidden.size > 0;
};

const isInRecycleBin = async ({ db }: Scope, { study_instance_uid }: ImportRow): Promise<boolean> => {
  const study = await db
    .selectFrom('studies')
    .select('deleted_at')
    .where('study_instance_uid', '=', study_instance_uid)
    .executeTakeFirst();
  return study?.deleted_at != null;
};

/** Marks the import as running. If nothing is left to do, finishes the job and returns undefined. */
const begin = async (scope: Scope, job: Job): Promise<ImportRow | undefined> => {
  const row = await scope.db
    .updateTable('import_jobs')
    .set({ state: 'RUNNING', cause: '', started_at: sql`coalesce(started_at, now())` })
    .where('id', '=', job.id)
    // A killed server may have left the state RUNNING.
    .where('state', 'in', [...statesBefore(importJobMoves, 'RUNNING'), 'RUNNING'])
    .returningAll()
    .executeTakeFirst();
  if (!row) await finishJob(scope, job);
  else await announceJob(scope, job);
  return row;
};

const announceJob = (scope: Scope, { id }: Pick<Job, 'id'>) => announce(scope, { kind: 'job', jobId: id });

/** Returns a function that returns true at most once per interval. */
const createPace = (milliseconds: number) => {
  let last = -Infinity;
  return (): boolean => {
    const now = performance.now();
    if (now - last < milliseconds) return false;
    last = now;
    return true;
  };
};

const countAttempt = async ({ db }: Scope, { id }: Job) => {
  await db
    .updateTable('import_jobs')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'RUNNING')
    .execute();
};

/** Records the progress, unless the state of the import has changed. */
const saveProgress = async ({ db }: Scope, { id }: Job, progress: Progress, state: ImportJobState) => {
  if (!progress.expected) return;
  await db
    .updateTable('import_jobs')
    .set({
      expected: countExpected(progress) ?? null,
      received: progress.storedUids.size,
      cause: progress.broken && state === 'RUNNING' ? causeOf(progress) : '',
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .execute();
};

/** Records how many instances a canceled import has fetched, and how many are still missing from an earlier run. */
const recordCancelled = async (scope: Scope, job: Job, progress: Progress) => {
  await saveProgress(scope, job, progress, 'CANCELLED');
  await countFailures(scope, job.id);
};

/** Returns the import to the queue when the server stops. If the import was canceled, records the counts. */
const interrupt = async (scope: Scope, job: Job, { progress }: Outcome, reason: unknown) => {
  if (!(reason instanceof Interruption && reason.isStop)) {
    await recordCancelled(scope, job, progress);
    return announceJob(scope, job);
  }
  if (await putBackJob(scope, job)) await wait(scope, job);
};

const wait = async (scope: Scope, { id }: Job, cause = '') => {
  await scope.db
    .updateTable('import_jobs')
    .set({ state: 'QUEUED', cause })
    .where('id', '=', id)
    .where('state', '=', 'RUNNING')
    .execute();
  await announceJob(scope, { id });
};

const end = async (scope: Scope, job: Job, row: ImportRow, { progress, cause }: Outcome) => {
  if (!(await finishJob(scope, job))) return;
  // The counts of an earlier run stay if the archive cannot be reached or lists fewer instances now.
  const counts = {
    expected: countExpected(progress) ?? row.expected,
    received: isListed(progress) ? progress.storedUids.size : await countStoredInstances(scope, row),
  };
  const state = endState(counts, isListed(progress) && cause === '');
  const failed = (counts.expected ?? 0) - counts.received;
  const { numUpdatedRows } = await scope.db
    .updateTable('import_jobs')
    .set({ ...counts, failed, state, cause, finished_at: sql`now()` })
    .where('id', '=', job.id)
    // A worker that lost the job may have set the state to QUEUED. Without a job, that import would never start.
    .where('state', 'in', importJobStates.filter(isActive))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  if (isListed(progress)) await forgetFailures(scope, job.id);
  if (state !== 'DONE') await addFailures(scope, job.id, failuresOf(progress));
  await audit(scope, 'import.end', {
    entity: 'import_job',
    entityId: job.id,
    outcome: state === 'DONE' ? 'SUCCESS' : 'FAILURE',
    detail: { state, expected: counts.expected ?? 0, received: counts.received },
  });
  await announceJob(scope, job);
  await notifyRequester(scope, row, { state, ...counts });
};

/** Returns DONE only when the archive has confirmed its list and nothing has failed. */
const endState = (
  { expected, received }: { expected: number | null; received: number },
  isCertain: boolean,
): ImportJobState => {
  if (received === 0) return 'FAILED';
  return isCertain && received === expected ? 'DONE' : 'PARTIAL';
};

const forgetFailures = async ({ db }: Scope, importId: string) => {
  await db.deleteFrom('import_failures').where('import_job_id', '=', importId).execute();
};

const addFailures = async ({ db }: Scope, importId: string, failures: readonly Failure[]) => {
  await sql`
    insert into import_failures (import_job_id, sop_instance_uid, reason)
    select ${importId}, * from unnest(
      ${failures.map(({ sopInstanceUID }) => sopInstanceUID)}::text[], ${failures.map(({ reason }) => reason)}::text[])
    on conflict (tenant_id, import_job_id, sop_instance_uid) do update set reason = excluded.reason
  `.execute(db);
};
