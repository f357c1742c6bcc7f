import { t } from '@radwork/contract/core/translate';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import type { QueuedStudy, readingQueue as endpoints } from '@radwork/contract/reading/reading-queue';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { invalid, orNotFound } from '#core/http/problem.ts';
import { announce } from '#core/live/announce.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { claimForReading, release, releaseOwn } from '#reading/reading-locks/service.ts';
import { refuseWriting } from '#reading/report-records/refuse-writing.ts';
import { countDeferred, deleteDeferral, storeDeferral } from './deferrals.ts';
import { claimedStudies, countWaiting, waitingStudies } from './queue-rows.ts';

/** Studies tried before the queue is read again. Readers who call at the same moment take the first ones. */
const triedAtOnce = 20;
/** Studies that the browser prefetches. */
const prefetched = 2;

/**
 * Claims the next study for the caller: a study that the caller had claimed before, or else the first of the queue that
 * no other reader takes at the same moment. Then releases the study that the caller leaves.
 */
export const claimNext = async (
  scope: Scope,
  { queue, skipped, leave }: Body<typeof endpoints.next>,
): Promise<Reply<typeof endpoints.next>> => {
  const passed = leave === undefined ? skipped : [...skipped, leave];
  const study = (await continued(scope, passed)) ?? (await claimFirst(scope, queue, passed));
  if (study) await auditStudy(scope, 'study.claimReading', await studyById(scope, study.id), { queue });
  // The release comes last. If it came first, two readers who exchange studies could wait for each other.
  if (leave !== undefined) await releaseOwn(scope, leave);
  const waiting = await countWaiting(scope, queue, study ? [...passed, study.id] : passed);
  return { study, waiting, deferred: await countDeferred(scope) };
};

const continued = async (scope: Scope, passed: readonly string[]): Promise<QueuedStudy | null> => {
  for (const study of await claimedStudies(scope, passed)) {
    if (await isClaimed(scope, study)) return study;
  }
  return null;
};

const claimFirst = async (
  scope: Scope,
  queue: Body<typeof endpoints.next>['queue'],
  passed: readonly string[],
): Promise<QueuedStudy | null> => {
  const tried: string[] = [];
  for (;;) {
    const studies = await waitingStudies(scope, queue, [...passed, ...tried], triedAtOnce);
    if (studies.length === 0) return null;
    for (const study of studies) {
      if (await isClaimed(scope, study)) return study;
      tried.push(study.id);
    }
  }
};

/** Claims a study, unless the caller may not write its report or another reader was faster. */
const isClaimed = async (scope: Scope, { id }: QueuedStudy): Promise<boolean> => {
  const refusal = await refuseWriting(scope, await studyById(scope, id), false);
  return refusal === undefined && (await claimForReading(scope, id));
};

/** Returns the studies that follow in the queue, without claiming them. */
export const lookAhead = async (
  scope: Scope,
  { queue, skipped, current }: Body<typeof endpoints.ahead>,
): Promise<Reply<typeof endpoints.ahead>> => {
  const without = current === undefined ? skipped : [...skipped, current];
  const studies = await waitingStudies(scope, queue, without, prefetched);
  return { studies, waiting: await countWaiting(scope, queue, without) };
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
