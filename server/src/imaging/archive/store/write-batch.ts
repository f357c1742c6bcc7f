import { t } from '@radwork/contract/core/translate';
import { setTimeout as wait } from 'node:timers/promises';
import { announceStudiesBatched } from '#core/live/announce.ts';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import type { Context } from '#core/context.ts';
import { isDeadlock, isValueError } from '#core/database/database.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { BeingRemoved } from './begin-batch.ts';
import { writePlan } from '#imaging/archive/index/index-batch.ts';
import { type Candidate, isRefusal, type Refusal } from './ingest-file.ts';
import { createLimit } from '#core/resources/concurrency-limit.ts';
import { ConcurrentWrite } from '#imaging/archive/index/concurrent-write.ts';
import { noteRefusedArrivals, planWithReplacements } from '#imaging/archive/index/replace-deleted.ts';
import { type Acceptance, refuse, type Terms, type FileSource } from '#imaging/archive/index/plan-batch.ts';
import { finishRemovals, removeUnused } from '#imaging/archive/upkeep/remove-unused.ts';

/** A file that is stored durably. `isNew` is false if the same file was stored before. */
export type StoredFile = {
  name: string;
  studyId: string;
  studyInstanceUID: string;
  seriesInstanceUID: string;
  sopClassUID: string;
  sopInstanceUID: string;
  isNew: boolean;
};

type Archive = Pick<Context, 'blobs' | 'scopes'>;

type Upload = {
  /** The study to which all files must belong, if the request names one. */
  onlyStudy: string | undefined;
  fileSource?: FileSource;
  /** Studies for which this upload has already written an audit entry. */
  audited: Set<string>;
};

/** Resolves with the outcome of each file, in order. */
type WriteBatch = (
  archive: Archive,
  session: Session,
  candidates: readonly Candidate[],
  upload: Upload,
) => Promise<(StoredFile | Refusal)[]>;

/**
 * A merge of patients locks studies in another order than an upload does. If the two deadlock, the database cancels one
 * of them.
 */
const isOvertaken = (error: unknown): boolean => error instanceof ConcurrentWrite || isDeadlock(error);

/** Number of parallel batches. The limit leaves database connections for other work. */
const whileFewBatches = createLimit(4);
const mostAttempts = 5;
/** Attempts, and the pause in milliseconds, while the same file is being removed. */
const removal = { attempts: 40, pause: 250 };

/**
 * Stores a batch in one transaction: decides about each file, writes the rows while the bytes are moved into the store,
 * and commits. So every committed row has its bytes. If the transaction fails, the bytes that it moved are removed
 * again. Returns the outcome of each file in order. Bytes that were not stored are always discarded.
 */
export const writeBatch: WriteBatch = async (archive, session, candidates, upload) => {
  try {
    return await writeTogetherOrAlone(archive, session, candidates, upload);
  } catch (error) {
    // While the store cannot be reached, a removal would claim the files without removing them. The sender could then
    // not store the same files later.
    if (!(error instanceof StorageUnavailable)) await takeBack(archive, session, candidates);
    throw error;
  } finally {
    await Promise.all(candidates.map(({ blob }) => blob.discard()));
  }
};

/**
 * One invalid value makes the whole transaction fail. A separate transaction for each file shows which file contains
 * it.
 */
const writeTogetherOrAlone: WriteBatch = async (archive, session, candidates, upload) => {
  try {
    return await write(archive, session, candidates, upload);
  } catch (error) {
    if (!isValueError(error)) throw error;
    const outcomes = await writeOneByOne(archive, session, candidates, upload);
    await takeBack(archive, session, refusedOf(candidates, outcomes));
    return outcomes;
  }
};

/** Removes stored bytes that have no row. If the database cannot be reached, upkeep finds these bytes later. */
const takeBack = async (archive: Archive, { tenantId }: Session, candidates: readonly Candidate[]) => {
  const hashes = candidates.map(({ sha256 }) => sha256);
  await removeUnused(archive, tenantId, hashes).catch(() => {});
};

const write: WriteBatch = async (archive, session, candidates, upload) => {
  let lost: Terms['lost'] = [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcomes = await whileFewBatches(() => attemptBatch(archive, session, candidates, { ...upload, lost }));
      // An earlier attempt may have stored bytes of files that are now refused.
      if (attempt > 1) await takeBack(archive, session, refusedOf(candidates, outcomes));
      return outcomes;
    } catch (error) {
      if (error instanceof BytesLost) lost = error.lost;
      else if (error instanceof BeingRemoved) await waitForRemoval(archive, session, candidates, attempt);
      else if (!isOvertaken(error) || attempt >= mostAttempts) throw error;
    }
  }
};

const refusedOf = (candidates: readonly Candidate[], outcomes: readonly (StoredFile | Refusal)[]) =>
  candidates.filter((_, index) => isRefusal(outcomes[index] ?? {}));

/**
 * Waits until an identical file is removed. Normally short. Takes longer only after a server crashed during the
 * removal.
 */
const waitForRemoval = async (
  archive: Archive,
  { tenantId }: Session,
  candidates: readonly Candidate[],
  attempt: number,
) => {
  if (attempt >= removal.attempts) {
    const words = t`The archive is removing an identical file. Send it again in a few minutes.`;
    throw new Problem(503, 'store.being_removed', words, { retryAfterSeconds: 120 });
  }
  const hashes = candidates.map(({ sha256 }) => sha256);
  if ((await finishRemovals(archive, tenantId, hashes)) === 0) await wait(removal.pause);
};

const writeOneByOne: WriteBatch = async (archive, session, candidates, upload) => {
  const outcomes: (StoredFile | Refusal)[] = [];
  for (const candidate of candidates) {
    try {
      outcomes.push(...(await write(archive, session, [candidate], upload)));
    } catch (error) {
      if (!isValueError(error)) throw error;
      outcomes.push(refuse(candidate, t`The file header contains a value that cannot be stored.`));
    }
  }
  return outcomes;
};

const attemptBatch = (
  archive: Archive,
  session: Session,
  candidates: readonly Candidate[],
  { onlyStudy, audited, lost, fileSource: way }: Upload & Pick<Terms, 'lost'>,
) =>
  archive.scopes.inWholeTenant(session, async (scope) => {
    const { scopes, blobs } = archive;
    const terms = { onlyStudy, lost, fileSource: way };
    const { plan, purged } = await planWithReplacements(scope, candidates, terms);
    // Also includes files that are in the store already, because their stored bytes may be lost.
    const blobsToKeep = plan.outcomes.flatMap((outcome) => (isRefusal(outcome) ? [] : outcome.candidate.blob));
    const keep = async () => {
      await assertSafe(candidates, lost);
      await blobs.keep(session.tenantId, blobsToKeep);
    };
    await bothDone(writePlan(scope, plan, { audited, fileSource: way }), keep());
    await noteRefusedArrivals(scope, plan);
    scope.afterCommit(() => {
      // After an error, upkeep removes the bytes.
      if (purged.length > 0) void removeUnused(archive, session.tenantId, purged).catch(() => {});
      const changed = plan.additions.map(({ studyId }) => studyId);
      for (const studyId of changed) audited.add(studyId);
      announceStudiesBatched(scopes, session.tenantId, changed);
    });
    return plan.outcomes.map((outcome) => (isRefusal(outcome) ? outcome : storedFile(outcome)));
  });

/** Some bytes of a batch could not be made durable. */
class BytesLost extends Error {
  readonly lost: Terms['lost'];

  constructor(lost: Terms['lost']) {
    super();
    this.lost = lost;
  }
}

/**
 * Waits until the bytes are durable, while rows are written. Throws BytesLost when files are lost that are not in
 * `known`.
 */
const assertSafe = async (candidates: readonly Candidate[], known: Terms['lost']) => {
  const lost = await Promise.all(candidates.map(({ durable }) => durable));
  if (lost.some((refusal, index) => refusal && !known[index])) throw new BytesLost(lost);
};

/** Waits until both rows and bytes are finished, because the cleanup must undo both. Fails when one of them fails. */
const bothDone = async (rows: Promise<void>, bytes: Promise<void>) => {
  await Promise.allSettled([rows, bytes]);
  // If both fail, the error of the store is thrown, not that of the rows.
  await bytes;
  await rows;
};

const storedFile = ({ candidate, studyId, isNew }: Acceptance): StoredFile => ({
  name: candidate.name,
  studyId,
  studyInstanceUID: candidate.studyInstanceUID,
  seriesInstanceUID: candidate.seriesInstanceUID,
  sopClassUID: candidate.sopClassUID,
  sopInstanceUID: candidate.sopInstanceUID,
  isNew,
});
