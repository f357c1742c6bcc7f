import { type ImportJob, isActive, isRetryable } from '@radwork/contract/import-jobs';
import type { RemoteStudy } from '@radwork/contract/remote-studies';

/** The study in our own archive, where some of it is here; a job knows more recently than the search did. */
export const studyHere = (study: RemoteStudy, job: ImportJob | undefined): string | null =>
  job ? job.studyId : study.studyId;

/**
 * What bringing a study here is called now; nothing while it is on its way or when it came completely. `verb` is
 * "Import", or "Retrieve" on the DICOMWEB tab.
 */
export const importOffer = (study: RemoteStudy, job: ImportJob | undefined, verb: string): string | undefined => {
  if (job && isActive(job.state)) return undefined;
  if (job && isRetryable(job.state)) return 'Retry';
  if (studyHere(study, job) === null) return verb;
  return job ? undefined : `${verb} again`;
};
