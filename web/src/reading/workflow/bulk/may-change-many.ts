import { bulkChanges } from '@radwork/contract/reading/bulk-changes';
import { may } from '#core/state/session.ts';

/** Whether the user may change studies from the list in any way. */
export const mayChangeMany = (): boolean =>
  may(bulkChanges.assign) || may(bulkChanges.prioritize) || may(bulkChanges.changeStatus);
