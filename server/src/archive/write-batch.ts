import { setTimeout as wait } from 'node:timers/promises';
import { announceStudiesSoon } from '#core/announce.ts';
import { StorageAway } from '#core/blob-store.ts';
import type { Context } from '#core/context.ts';
import { isDeadlock, isValueError } from '#core/database.ts';
import { Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { BeingRemoved } from './enter-archive.ts';
import { decideBatch, writePlan } from './index-batch.ts';
import { type Candidate, isRefusal, type Refusal } from './ingest.ts';
import { createLimit } from './limit.ts';
import { Overtaken } from './overtaken.ts';
import { type Acceptance, refuse, type Terms, type WayIn } from './plan-batch.ts';
import { finishRemovals, removeUnused } from './upkeep/unused-bytes.ts';

/** A file that is in the archive, durably. It is not new when the very same file was there before. */
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
  /** The study that all files have to belong to, if one was named. */
  onlyStudy: string | undefined;
  way?: WayIn;
  /** The studies whose entry in the audit this upload has written already. */
  audited: Set<string>;
};

/** Returns what became of each file, in their order. */
type WriteBatch = (
  archive: Archive,
  session: Session,
  candidates: readonly Candidate[],
  upload: Upload,
) => Promise<(StoredFile | Refusal)[]>;

/** A merge of patients takes the rows of their studies in another order than an upload does, and one of both is let go. */
const isOvertaken = (error: unknown): boolean => error instanceof Overtaken || isDeadlock(error);

/** Batches that are written at once, so that uploads leave database connections to everybody else. */
const whileFewBatches = createLimit(4);
const mostAttempts = 5;
/** How often, and after how many milliseconds, it is tried again to store what is being removed at this moment. */
const removal = { attempts: 40, pause: 250 };

/**
 * Gives a batch its place in the archive, in one transaction: it is decided what is taken, the rows are written while
 * the bytes move into place, then comes the commit. So no row is without its bytes; and what an attempt has put into
 * place for rows that did not come is taken out again. Returns what became of each file, in their order; bytes that were
 * not kept are gone, whatever happens.
 */
export const writeBatch: WriteBatch = async (archive, session, candidates, upload) => {
  try {
    return await writeTogetherOrAlone(archive, session, candidates, upload);
  } catch (error) {
    // A store that is away would leave the removal begun, and the same files refused when it is back.
    if (!(error instanceof StorageAway)) await takeBack(archive, session, candidates);
    throw error;
  } finally {
    await Promise.all(candidates.map(({ blob }) => blob.discard()));
  }
};

/** A value that no column can hold fails the whole transaction. Which file it is in shows when each has its own. */
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

/** What was put into the store for rows that never came. If the database is away, the upkeep finds it later. */
const takeBack = async (archive: Archive, { tenantId }: Session, candidates: readonly Candidate[]) => {
  const hashes = candidates.map(({ sha256 }) => sha256);
  await removeUnused(archive, tenantId, hashes).catch(() => {});
};

const write: WriteBatch = async (archive, session, candidates, upload) => {
  let lost: Terms['lost'] = [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcomes = await whileFewBatches(() => attemptBatch(archive, session, candidates, { ...upload, lost }));
      // What is refused now may have been taken, and put into the store, by an attempt before.
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

/** Only a server that died a moment ago, while it removed a file, keeps anybody waiting for longer than a moment. */
const waitForRemoval = async (
  archive: Archive,
  { tenantId }: Session,
  candidates: readonly Candidate[],
  attempt: number,
) => {
  if (attempt >= removal.attempts) {
    const words = 'The same file is being removed from the archive. Send it again in a few minutes.';
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
      outcomes.push(refuse(candidate, 'The header of the file holds a value that cannot be stored.'));
    }
  }
  return outcomes;
};

const attemptBatch = (
  { scopes, blobs }: Archive,
  session: Session,
  candidates: readonly Candidate[],
  { onlyStudy, audited, lost, way }: Upload & Pick<Terms, 'lost'>,
) =>
  scopes.inTenant(session, async (scope) => {
    const plan = await decideBatch(scope, candidates, { onlyStudy, lost, way });
    // A file that was there before is kept like a new one: should its bytes have been lost, they are back.
    const kept = plan.outcomes.flatMap((outcome) => (isRefusal(outcome) ? [] : outcome.candidate.blob));
    const keep = async () => {
      await assertSafe(candidates, lost);
      await blobs.keep(session.tenantId, kept);
    };
    await bothDone(writePlan(scope, plan, audited), keep());
    scope.afterCommit(() => {
      const changed = plan.additions.map(({ studyId }) => studyId);
      for (const studyId of changed) audited.add(studyId);
      announceStudiesSoon(scopes, session.tenantId, changed);
    });
    return plan.outcomes.map((outcome) => (isRefusal(outcome) ? outcome : storedFile(outcome)));
  });

/** Some bytes of a batch are not on disk for good after all. */
class BytesLost extends Error {
  readonly lost: Terms['lost'];

  constructor(lost: Terms['lost']) {
    super();
    this.lost = lost;
  }
}

/** Rows are written while bytes still are. Throws BytesLost when files turn out to be lost that were not known to be. */
const assertSafe = async (candidates: readonly Candidate[], known: Terms['lost']) => {
  const lost = await Promise.all(candidates.map(({ safe }) => safe));
  if (lost.some((refusal, index) => refusal && !known[index])) throw new BytesLost(lost);
};

/** Fails when either does, but never while the other is still at it: what follows takes back what both did. */
const bothDone = async (rows: Promise<void>, bytes: Promise<void>) => {
  await Promise.allSettled([rows, bytes]);
  // Of two failures that of the store decides about what follows.
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
