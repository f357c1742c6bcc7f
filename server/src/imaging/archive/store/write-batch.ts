import { t } from '@radwork/contract/core/translate';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { isDeadlock, isValueError } from '#core/database/database.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { GroupFailed } from '#core/resources/joined-work.ts';
import { ConcurrentWrite } from '#imaging/archive/index/concurrent-write.ts';
import { refuse } from '#imaging/archive/index/plan-batch.ts';
import { finishRemovals, removeUnused } from '#imaging/archive/upkeep/remove-unused.ts';
import { type Archive, type Batch, BytesLost, type Outcome, senderOf, type Upload } from './attempt-batches.ts';
import { BeingRemoved } from './begin-batch.ts';
import { type Candidate, isRefusal } from './ingest-file.ts';
import { attemptAlone, attemptJoined, isJoined } from './join-batches.ts';

/** Resolves with the outcome of each file, in order. */
type WriteBatch = (
  archive: Archive,
  session: Session,
  candidates: readonly Candidate[],
  upload: Upload,
) => Promise<Outcome[]>;

/**
 * A merge of patients locks studies in another order than an upload does. If the two deadlock, the database cancels one
 * of them.
 */
const isOvertaken = (error: unknown): boolean => error instanceof ConcurrentWrite || isDeadlock(error);

const mostAttempts = 5;
/** Attempts, and the pause in milliseconds, while the same file is being removed. */
const removal = { attempts: 40, pause: 250 };

/**
 * Stores a batch in one transaction. Small batches of a tenant that wait at the same time share one transaction
 * (join-batches.ts). If the transaction fails, the bytes that it moved are removed again. Returns the outcome of each file
 * in order. Bytes that were not stored are always discarded.
 */
export const writeBatch: WriteBatch = async (archive, session, candidates, upload) => {
  try {
    const sender = senderOf(session, upload.fileSource);
    const inContext = AsyncLocalStorage.snapshot();
    return await writeTogetherOrAlone({ archive, session, candidates, upload, sender, inContext });
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
const writeTogetherOrAlone = async (batch: Batch): Promise<Outcome[]> => {
  try {
    return await write(batch, { isJoined: isJoined(batch) });
  } catch (error) {
    if (!isValueError(error)) throw error;
    const outcomes = await writeOneByOne(batch);
    await takeBack(batch.archive, batch.session, refusedOf(batch, outcomes));
    return outcomes;
  }
};

/** Removes stored bytes that have no row. If the database cannot be reached, upkeep finds these bytes later. */
const takeBack = async (archive: Archive, { tenantId }: Session, candidates: readonly Candidate[]) => {
  const hashes = candidates.map(({ sha256 }) => sha256);
  await removeUnused(archive, tenantId, hashes).catch(() => {});
};

/** Repeats what another transaction has overtaken. A batch whose group failed is repeated alone. */
const write = async (batch: Batch, options: { isJoined: boolean }): Promise<Outcome[]> => {
  const { archive, session, candidates } = batch;
  let lost: BytesLost['lost'] | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const isFirst = attempt === 1;
      const outcomes = await (isFirst && options.isJoined ? attemptJoined(batch) : attemptAlone(batch, lost));
      // An earlier attempt may have stored bytes of files that are now refused.
      if (!isFirst) await takeBack(archive, session, refusedOf(batch, outcomes));
      return outcomes;
    } catch (error) {
      if (error instanceof BytesLost) lost = error.lost;
      else if (error instanceof BeingRemoved) await waitForRemoval(archive, session, candidates, attempt);
      else {
        throwOutage(error);
        const mayRepeat = error instanceof GroupFailed || (isOvertaken(error) && attempt < mostAttempts);
        if (!mayRepeat) throw error;
      }
    }
  }
};

/**
 * While the store cannot be reached, each batch of a group would only wait for it once more. The error is made again,
 * because it may have the language of another sender.
 */
const throwOutage = (error: unknown) => {
  const cause = error instanceof GroupFailed ? error.cause : error;
  if (cause instanceof StorageUnavailable) throw new StorageUnavailable(cause.reason);
};

const refusedOf = ({ candidates }: Pick<Batch, 'candidates'>, outcomes: readonly Outcome[]) =>
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

const writeOneByOne = async (batch: Batch): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const candidate of batch.candidates) {
    try {
      outcomes.push(...(await write({ ...batch, candidates: [candidate] }, { isJoined: false })));
    } catch (error) {
      if (!isValueError(error)) throw error;
      outcomes.push(refuse(candidate, t`The file header contains a value that cannot be stored.`));
    }
  }
  return outcomes;
};
