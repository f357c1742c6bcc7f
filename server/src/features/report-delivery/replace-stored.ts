import type { Scope } from '#core/scope.ts';
import { storeByItself } from './queue-delivery.ts';
import { takeOutFormer } from './report-objects.ts';

/**
 * Replaces the reports in the studies of these patients that name somebody else, after a study was filed elsewhere: what
 * is wrong leaves at once, into the recycle bin, and what is right is stored by a job, in the caller's name.
 */
export const replaceStored = async (scope: Scope, patientIds: readonly string[]): Promise<void> => {
  for (const { reportId, studyId } of await takeOutFormer(scope, { patientIds })) {
    await storeByItself(scope, reportId, studyId);
  }
};
