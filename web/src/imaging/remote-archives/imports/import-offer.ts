import { t } from '@lingui/core/macro';
import { type ImportJob, isActive, isRetryable } from '@radwork/contract/imaging/import-jobs';
import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';

/**
 * Returns the ID of the study in our archive, if the study is there. Prefers the ID in the job, which is newer than the
 * search result.
 */
export const localStudyId = (study: RemoteStudy, job: ImportJob | undefined): string | null =>
  job ? job.studyId : study.studyId;

/** Returns the number of instances in our archive if the remote archive has more; otherwise undefined. */
export const partialInstanceCount = (study: RemoteStudy, job: ImportJob | undefined): number | undefined => {
  const stored = Math.max(study.storedInstanceCount ?? 0, job?.received ?? 0);
  const isPart = localStudyId(study, job) !== null && study.instanceCount !== null && stored < study.instanceCount;
  return isPart ? stored : undefined;
};

/**
 * Whether a job can resume. If the remote archive no longer has the instances that the job lacks, the job can never
 * succeed. A new job then asks for the current content.
 */
export const isToBeRetried = (study: RemoteStudy, job: ImportJob): boolean => {
  const isAllHere =
    localStudyId(study, job) !== null && study.instanceCount !== null && partialInstanceCount(study, job) === undefined;
  return isRetryable(job.state) && !(job.state === 'PARTIAL' && isAllHere);
};

/** Text of the button: "IMPORT", or "RETRIEVE" on the DICOMWEB tab. */
export type ImportVerb = 'IMPORT' | 'RETRIEVE';

export const importTexts = {
  IMPORT: {
    once: t`Import`,
    again: t`Import again`,
    study: t`Import study`,
    hint: t`import`,
    selected: t`Import selected`,
    noneLeft: t`No studies left to import`,
  },
  RETRIEVE: {
    once: t`Retrieve`,
    again: t`Retrieve again`,
    study: t`Retrieve study`,
    hint: t`retrieve`,
    selected: t`Retrieve selected`,
    noneLeft: t`No studies left to retrieve`,
  },
} satisfies Record<ImportVerb, Record<string, string>>;

/** Returns the label of the import button. Undefined during an import, or if the study is complete. */
export const importOffer = (study: RemoteStudy, job: ImportJob | undefined, verb: ImportVerb): string | undefined => {
  const texts = importTexts[verb];
  if (job && isActive(job.state)) return undefined;
  if (job && isToBeRetried(study, job)) return t`Retry`;
  if (localStudyId(study, job) === null) return texts.once;
  return job?.state === 'DONE' && partialInstanceCount(study, job) === undefined ? undefined : texts.again;
};
