import { t } from '@radwork/contract/core/translate';
import { type Selectable, sql } from 'kysely';
import { auditStudy } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { isDatabaseFault } from '#core/database/database.ts';
import type { SeriesMoves } from '#core/database/schema.ts';
import { emit } from '#core/events/emit.ts';
import { problemOf } from '#core/http/problem-of-error.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import { finishJob, Interruption, type Job, putBackJob, RetryLater, type RunJob } from '#core/jobs/jobs.ts';
import { type Scope, type Session, systemSession } from '#core/access/scope.ts';
import { recountDose } from '#imaging/archive/index/dose-of-files.ts';
import { endRejection, writeRejection } from '#imaging/archive/rejection/write-rejection.ts';
import { filesPerBatch, storeInstances } from '#imaging/archive/store/store-instances.ts';
import { sessionOfAsker } from '#imaging/import-jobs/requester-session.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { copiesOf } from './copy-images.ts';
import { cleanUp, failMove } from './end-without-copies.ts';
import {
  copiesOfMove,
  imagesOfSeries,
  moveById,
  runningMove,
  type SeriesImage,
  storedCopies,
  uidsOfStudies,
} from './move-rows.ts';
import { announceBoth, lockBoth, moveRejection, refuseWithoutRight, type StoredRefiling } from './move-series.ts';

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics'>;
type MoveRow = Selectable<SeriesMoves>;

export type Moving = {
  archive: Archive;
  /** Called with internal errors that make a move wait. */
  onError: (error: unknown) => void;
  /** Seconds until a retry when our storage or database blocked the move. Default: one minute. */
  pauseSeconds?: number;
};

/** Number of attempts for a move that crashes the server or fails unexpectedly. */
const mostAttempts = 5;

/** Status of an error when the storage or database is busy or cannot be reached. */
const unavailable = 503;

/** Stores the copies of a move, continues an earlier run, and ends the move. */
export const runMove =
  ({ archive, onError, pauseSeconds = 60 }: Moving): RunJob =>
  async (job, signal) => {
    const { scopes } = archive;
    const asServer = <T>(work: (scope: Scope) => Promise<T>) => scopes.inTenant(systemSession(job.tenantId), work);
    const move = await asServer((scope) => runningMove(scope, job.id));
    if (!move) {
      await asServer(async (scope) => {
        if (await finishJob(scope, job)) await cleanUp(scope, job.id);
      });
      return;
    }
    try {
      const session = await sessionOfMover(archive, move);
      if (job.attempt > mostAttempts) {
        throw conflict('series.given_up', t`The server failed several times during this move. Try again.`);
      }
      await copyAll(archive, session, move, signal);
      await scopes.inTenant(session, (scope) => end(scope, job, move));
    } catch (error) {
      if (signal.aborted && signal.reason instanceof Interruption && signal.reason.isStop) {
        await asServer((scope) => putBackJob(scope, job));
        return;
      }
      // Another worker may have cleaned up before the last images of this one were stored.
      if (signal.aborted || error instanceof LostJob) return asServer((scope) => cleanUp(scope, move.id));
      const { status, message } = problemOf(error);
      if (isDatabaseFault(error) || status === unavailable) {
        onError(error);
        throw new RetryLater(pauseSeconds, { isAttempt: false });
      }
      if (status >= 500) throw error;
      await asServer(async (scope) => {
        if (await finishJob(scope, job)) await failMove(scope, move.id, message);
        else await cleanUp(scope, move.id);
      });
    }
  };

/** Another worker has the job. */
class LostJob extends Error {}

/** Returns the session of the user in whose name the move runs. Throws 409 when this user may no longer move. */
const sessionOfMover = async ({ scopes }: Archive, move: MoveRow): Promise<Session> => {
  const { tenant_id, moved_by, moved_by_tenant_id } = move;
  const session =
    moved_by === null || moved_by_tenant_id === null
      ? undefined
      : await sessionOfAsker(
          scopes,
          { tenant_id, requested_by: moved_by, requested_by_tenant_id: moved_by_tenant_id },
          'study.delete',
        );
  if (!session) throw conflict('series.not_allowed', t`The user who moved the series may no longer move images.`);
  return session;
};

const changed = () => conflict('series.changed', t`Images of the series have changed. Try again.`);

/** Stores the copies that are not stored yet, and records the progress. */
const copyAll = async (archive: Archive, session: Session, move: MoveRow, signal: AbortSignal): Promise<void> => {
  const { scopes, blobs } = archive;
  const uids = uidsIn(move);
  const { images, toUid, stored } = await scopes.inTenant(session, async (scope) => {
    const [uid] = move.to_study_id === null ? [] : await uidsOfStudies(scope, [move.to_study_id]);
    if (uid === undefined) throw changed();
    return {
      images: await imagesOfSeries(scope, move.from_study_id, move.series_instance_uid),
      toUid: uid,
      stored: await storedCopies(scope, move),
    };
  });
  refuseOthers(images, uids);
  const missing = images.filter(({ sopInstanceUID }) => !stored.has(uids.get(sopInstanceUID) ?? ''));
  const refiling = { ...(move.refiling as StoredRefiling), uids };
  const audited = new Set<string>();
  for (let start = 0; start < missing.length; start += filesPerBatch) {
    signal.throwIfAborted();
    const batch = missing.slice(start, start + filesPerBatch);
    const files = copiesOf(blobs, session.tenantId, batch, refiling);
    const result = await storeInstances(archive, session, files, { studyInstanceUID: () => toUid, audited });
    const [refusal] = result.refused;
    if (result.stored.length < batch.length) {
      // A worker that lost the job may have stored the same copies in the meantime.
      const now = await scopes.inTenant(session, (scope) => storedCopies(scope, move));
      if (!batch.every(({ sopInstanceUID }) => now.has(uids.get(sopInstanceUID) ?? ''))) {
        throw refusal ? conflict('series.not_copied', t`An image cannot be moved: ${refusal.reason}`) : changed();
      }
    }
    const copied_count = images.length - missing.length + start + batch.length;
    if (!(await scopes.inTenant(session, (scope) => countCopied(scope, move.id, copied_count)))) throw changed();
  }
  signal.throwIfAborted();
};

/** Records the progress of a move. Returns false if it was canceled. */
const countCopied = async ({ db }: Scope, id: string, copied_count: number): Promise<boolean> => {
  const counted = await db
    .updateTable('series_moves')
    .set({ copied_count })
    .where('id', '=', id)
    .where('state', '=', 'COPYING')
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
};

/** New UIDs of the series and its images. */
const uidsIn = ({ uids }: MoveRow): Map<string, string> => new Map(Object.entries(uids as Record<string, string>));

/** Throws 409 unless the series has the images of the move, neither more nor fewer. */
const refuseOthers = (images: readonly SeriesImage[], uids: ReadonlyMap<string, string>): void => {
  // The UIDs include that of the series.
  if (images.length !== uids.size - 1 || images.some(({ sopInstanceUID }) => !uids.has(sopInstanceUID)))
    throw changed();
};

/** Shows the copies and rejects the originals, in one transaction. */
const end = async (scope: Scope, job: Job, move: MoveRow): Promise<void> => {
  // Locks the job before the studies, as a cancellation does.
  if (!(await finishJob(scope, job))) throw new LostJob();
  const [from, to] = await lockRunning(scope, move);
  const now = await imagesOfSeries(scope, from.id, move.series_instance_uid);
  refuseOthers(now, uidsIn(move));
  const [copies] = await copiesOfMove(scope, move.id);
  await endRejection(scope, to.id, orNotFound(copies, 'rejection').id);
  await writeRejection(scope, {
    ...moveRejection,
    studyId: from.id,
    move: { id: move.id, isCopy: false },
    images: now.map(({ sopInstanceUID }) => ({ seriesInstanceUID: move.series_instance_uid, sopInstanceUID })),
  });
  await recountDose(scope, from.id, { canRise: false });
  await scope.db
    .updateTable('series_moves')
    .set({ state: 'DONE', copied_count: now.length, refiling: null, ended_at: sql`now()` })
    .where('id', '=', move.id)
    .execute();
  const images = now.length;
  await emit(scope, 'study.seriesMoved', { moveId: move.id, fromId: from.id, toId: to.id });
  const seriesInstanceUid = move.series_instance_uid;
  await auditStudy(scope, 'study.moveSeries', from, { toStudyId: to.id, images, seriesInstanceUid });
  await auditStudy(scope, 'study.receiveSeries', to, { fromStudyId: from.id, images });
  await announceBoth(scope, from, to);
};

/**
 * Locks the move and its studies, which may have changed: if a user separated images from their order, the move was
 * given the new study. Throws 409 if the move is not running, if the originals were filed under another patient since its
 * beginning, or if the patient of the target is not the one that the copies name.
 */
const lockRunning = async (
  scope: Scope,
  { id, from_patient_id, to_patient_id }: MoveRow,
): Promise<[StoredStudy, StoredStudy]> => {
  const known = await moveById(scope, id, { lock: false });
  if (!known || known.to_study_id === null) throw changed();
  const [from, to] = await lockBoth(scope, known.from_study_id, known.to_study_id);
  const running = await moveById(scope, id, { lock: true });
  const isSame = running?.from_study_id === from.id && running.to_study_id === to.id;
  const areSamePatients = from.patient_id === from_patient_id && to.patient_id === to_patient_id;
  if (!isSame || running.state !== 'COPYING' || !areSamePatients) throw changed();
  if (from.patient_id !== to.patient_id) refuseWithoutRight(scope);
  return [from, to];
};
