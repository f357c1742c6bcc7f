import { type ImportJob, isActive, isRetryable } from '@radwork/contract/import-jobs';
import type { RemoteStudy } from '@radwork/contract/remote-studies';

/** Returns the ID of the study in our archive, if any. A job is newer than the search result. */
export const studyHere = (study: RemoteStudy, job: ImportJob | undefined): string | null =>
  job ? job.studyId : study.studyId;

/** Returns the number of stored instances, if the other archive has more. */
export const partHere = (study: RemoteStudy, job: ImportJob | undefined): number | undefined => {
  const stored = Math.max(study.storedInstanceCount ?? 0, job?.received ?? 0);
  const isPart = studyHere(study, job) !== null && study.instanceCount !== null && stored < study.instanceCount;
  return isPart ? stored : undefined;
};

/**
 * Whether a job can resume. A job whose missing instances no longer exist in the other archive can never succeed. A new
 * job asks the archive for its current content.
 */
export const isToBeRetried = (study: RemoteStudy, job: ImportJob): boolean => {
  const isAllHere =
    studyHere(study, job) !== null && study.instanceCount !== null && partHere(study, job) === undefined;
  return isRetryable(job.state) && !(job.state === 'PARTIAL' && isAllHere);
};

/**
 * Returns the label of the import button; undefined while importing or when complete. `verb` is "Import", or "Retrieve"
 * on the DICOMWEB tab.
 */
export const importOffer = (study: RemoteStudy, job: ImportJob | undefined, verb: string): string | undefined => {
  if (job && isActive(job.state)) return undefined;
  if (job && isToBeRetried(study, job)) return 'Retry';
  if (studyHere(study, job) === null) return verb;
  return job?.state === 'DONE' && partHere(study, job) === undefined ? undefined : `${verb} again`;
};
