import { t } from '@radwork/contract/core/translate';
import { Problem } from '#core/http/problem.ts';

/** Returns the conflict, at the field, for a username that another user of the tenant has. */
export const usernameTaken = (): Problem => {
  const words = t`This username is taken in your organization`;
  return new Problem(409, 'user.taken', words, { fields: { username: words } });
};
