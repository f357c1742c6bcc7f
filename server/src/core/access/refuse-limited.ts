import { t } from '@radwork/contract/core/translate';
import { forbidden } from '#core/http/problem.ts';
import type { Session } from './scope.ts';
import { isLimitedToGroups } from './study-access.ts';

/**
 * Throws 403 when the caller is limited to groups. For work that also concerns studies that such a caller does not see,
 * such as the merge of patients. The answer is the same for all records, so it reveals nothing.
 */
export const refuseLimited = (session: Session): void => {
  if (isLimitedToGroups(session)) {
    throw forbidden(t`You see only the studies of your groups. Ask an administrator to do this.`);
  }
};

/** Throws 403 when a limited caller is in no group. New studies and patients would belong to no group. */
export const refuseWithoutGroup = ({ studyGroups }: Pick<Session, 'studyGroups'>): void => {
  if (studyGroups?.length === 0) throw forbidden(t`You are in no group. Ask an administrator to add you to one.`);
};
