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
 * What bringing a study here is called now; nothing while it is on its way or when all of it came that the
 * archive has. `verb` is
 * "Import", or "Retrieve" on the DICOMWEB tab.
 */
export const importOffer = (study: RemoteStudy, job: ImportJob | undefined, verb: string): string | undefined => {
  if (job && isActive(job.state)) return undefined;
  if (job && isRetryable(job.state)) return 'Retry';
  if (studyHere(study, job) === null) return verb;
  return job && partHere(study, job) === undefined ? undefined : `${verb} again`;
};
