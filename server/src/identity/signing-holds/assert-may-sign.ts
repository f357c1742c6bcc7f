import { t } from '@radwork/contract/core/translate';
import { signingHeld } from '@radwork/contract/identity/signing-holds';
import { Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { maySignUnproven, openHolds, describeHolds } from './stored-holds.ts';

/**
 * Throws 403 if the account has a signing hold. If the organization allows such signatures, returns a remark for the
 * signature and the audit log instead. Without a hold, the remark is empty.
 */
export const assertMaySign = async (scope: Scope): Promise<string> => {
  const { session } = scope;
  const holds = await openHolds(scope, session.userId);
  if (holds.length === 0) return '';
  const words = describeHolds(holds, session.timeZone);
  if (await maySignUnproven(scope)) return `The account was not confirmed at signing: ${words}`;
  throw new Problem(
    403,
    signingHeld,
    t`You cannot sign, approve or acknowledge until this change is confirmed: ${words}. See My account.`,
  );
};

/**
 * Returns the details of a remark for the audit log. They contain no names, because the holds have their own entries.
 */
export const remarkDetail = (remark: string): Record<string, boolean> => (remark === '' ? {} : { isUnproven: true });
