import { t } from '@radwork/contract/core/translate';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import type { QueuedStudy, readingQueue as endpoints } from '@radwork/contract/reading/reading-queue';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { invalid, orNotFound } from '#core/http/problem.ts';
import { announce } from '#core/live/announce.ts';
import { studyById, studyRows } from '#imaging/studies/study-rows.ts';
import { claimForReading, release, releaseOwn } from '#reading/reading-locks/service.ts';
import { refuseWriting } from '#reading/report-records/refuse-writing.ts';
import { countDeferred, deleteDeferral, storeDeferral } from './deferrals.ts';
import { type JudgedQueue, judgeQueue } from './queue-parts.ts';
import { claimedStudies, countWaiting, waitingStudies } from './queue-rows.ts';

/** Studies tried before the queue is read again. Readers who call at the same moment take the first ones. */
const triedAtOnce = 20;
/** Studies that the browser prefetches. */
const prefetched = 2;

/**
 * Claims the next study for the caller: the first readable one that no other reader takes at the same moment. Then
 * releases the study that the caller leaves.
 */
export const claimNext = async (
  scope: Scope,
  { queue: requested, skipped, leave }: Body<typeof endpoints.next>,
): Promise<Reply<typeof endpoints.next>> => {
  const judged = await judgeQueue(scope, requested);
  const { queue } = judged;
  const passed = leave === undefined ? skipped : [...skipped, leave];
  const study = await claimFirst(scope, judged, passed);
  if (study) await auditStudy(scope, 'study.claimReading', await studyById(scope, study.id), { queue });
  // The release comes last. If it came first, two readers who exchange studies could wait for each other.
  if (leave !== undefined) await releaseOwn(scope, leave);
  const waiting = await countWaiting(scope, judged, study ? [...passed, study.id] : passed);
  return { queue, study, waiting, deferred: await countDeferred(scope) };
};

const claimFirst = async (scope: Scope, queue: JudgedQueue, passed: readonly string[]): Promise<QueuedStudy | null> => {
  for await (const study of offered(scope, queue, passed)) {
    // A report may have been begun since the queue was read.
    if (await refuseWriting(scope, await studyById(scope, study.id), false)) continue;
    if (await claimForReading(scope, study.id)) return study;
  }
  return null;
};

/** Yields the studies of `firstOffered`, and reads on while the caller asks for more. */
async function* offered(scope: Scope, queue: JudgedQueue, passed: readonly string[]): AsyncGenerator<QueuedStudy> {
  const tried = [...passed];
  for (;;) {
    const studies = await firstOffered(scope, queue, tried, triedAtOnce);
    if (studies.length === 0) return;
    yield* studies;
    tried.push(...studies.map(({ id }) => id));
  }
}

/**
 * Returns the first studies whose report the caller may write, in the order in which the reading mode opens them: those
 * that the caller has claimed, then those of the queue.
 */
const firstOffered = async (
  scope: Scope,
  queue: JudgedQueue,
  passed: readonly string[],
  size: number,
): Promise<QueuedStudy[]> => {
  const claimed = (await claimedStudies(scope, passed)).slice(0, size);
  if (claimed.length === size) return claimed;
  const without = [...passed, ...claimed.map(({ id }) => id)];
  return [...claimed, ...(await waitingStudies(scope, queue, without, size - claimed.length))];
};

/** Returns the first studies that `claimNext` would open, in its order, and how many wait. Claims none of them. */
export const list = async (
  scope: Scope,
  { queue, skipped, size }: Body<typeof endpoints.list>,
): Promise<Reply<typeof endpoints.list>> => {
  const judged = await judgeQueue(scope, queue);
  const found = await firstOffered(scope, judged, skipped, size);
  const studies = await studyRows(
    scope,
    found.map(({ id }) => id),
  );
  return { queue: judged.queue, studies, waiting: await countWaiting(scope, judged, skipped) };
};

/** Returns the studies that follow in the queue, without claiming them. */
export const lookAhead = async (
  scope: Scope,
  { queue, skipped, current }: Body<typeof endpoints.ahead>,
): Promise<Reply<typeof endpoints.ahead>> => {
  const without = current === undefined ? skipped : [...skipped, current];
  const judged = await judgeQueue(scope, queue);
  const studies = await firstOffered(scope, judged, without, prefetched);
  return { queue: judged.queue, studies, waiting: await countWaiting(scope, judged, without) };
};

/** Puts a study off until a time in the future. Releases the caller's lock on it. Throws 404 when it is not visible. */
export const defer = async (scope: Scope, studyId: string, form: Body<typeof endpoints.defer>): Promise<void> => {
  const study = await studyById(scope, studyId);
  if (Date.parse(form.until) <= Date.now()) throw invalid({ until: t`Choose a time in the future` });
  await storeDeferral(scope, studyId, form);
  await auditStudy(scope, 'study.deferReading', study, { until: form.until });
  await release(scope, studyId);
  await announce(scope, { kind: 'study', studyId }, [scope.session.userId]);
};

/** Returns a study to the caller's queue. Throws 404 when the caller has not put it off. */
export const resume = async (scope: Scope, studyId: string): Promise<void> => {
  const study = await studyById(scope, studyId);
  orNotFound((await deleteDeferral(scope, studyId)) || undefined, 'deferral');
  await auditStudy(scope, 'study.resumeReading', study);
  await announce(scope, { kind: 'study', studyId }, [scope.session.userId]);
};
