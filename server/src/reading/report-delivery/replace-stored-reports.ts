import type { Scope } from '#core/access/scope.ts';
import { storeByItself } from './queue-delivery.ts';
import { removeOutdated } from './stored-report-instances.ts';

/**
 * Replaces stored reports that name another patient, after a study was filed elsewhere. The wrong reports are moved to
 * the recycle bin at once. A job then stores the right reports in the name of the caller.
 */
export const replaceStored = async (scope: Scope, patientIds: readonly string[]): Promise<void> => {
  for (const { reportId, studyId } of await removeOutdated(scope, { patientIds })) {
    await storeByItself(scope, reportId, studyId);
  }
};
