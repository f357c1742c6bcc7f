import { type ImportJob, isActive, isRetryable } from '@radwork/contract/import-jobs';
import type { RemoteStudy } from '@radwork/contract/remote-studies';

/** The study in our own archive, where some of it is here; a job knows more recently than the search did. */
export const studyHere = (study: RemoteStudy, job: ImportJob | undefined): string | null =>
  job ? job.studyId : study.studyId;

/** How many of the study's instances are here, where that is fewer than the other archive has by now. */
export const partHere = (study: RemoteStudy, job: ImportJob | undefined): number | undefined => {
  const stored = Math.max(study.storedInstanceCount ?? 0, job?.received ?? 0);
  const isPart = studyHere(study, job) !== null && study.instanceCount !== null && stored < study.instanceCount;
  return isPart ? stored : undefined;
};

/**
 * Whether a job goes on where it ended. One that missed what the archive does not have any more could never end well: then
 * another begins, which asks the archive what there is.
 */
export const isToBeRetried = (study: RemoteStudy, job: ImportJob): boolean => {
  const isAllHere =
    studyHere(study, job) !== null && study.instanceCount !== null && partHere(study, job) === undefined;
  return isRetryable(job.state) && !(job.state === 'PARTIAL' && isAllHere);
};

/**
 * What bringing a study here is called now; nothing while it is on its way or when all of it came that the archive has.
 * `verb` is "Import", or "Retrieve" on the DICOMWEB tab.
 */
export const importOffer = (study: RemoteStudy, job: ImportJob | undefined, verb: string): string | undefined => {
  if (job && isActive(job.state)) return undefined;
  if (job && isToBeRetried(study, job)) return 'Retry';
  if (studyHere(study, job) === null) return verb;
  return job?.state === 'DONE' && partHere(study, job) === undefined ? undefined : `${verb} again`;
};
