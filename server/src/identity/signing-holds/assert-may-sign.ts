import { t } from '@radwork/contract/core/translate';
import { signingHeld } from '@radwork/contract/identity/signing-holds';
import { Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { maySignUnproven, openHolds, describeHolds } from './stored-holds.ts';

/**
 * Refuses a signature while a signing hold is open. Throws 403. If the organization allows such signatures, it returns
 * a remark for the signature and the audit instead. The remark is empty without a hold.
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

/** Returns the audit detail of a remark. It has no names, because the audit holds the holds themselves. */
export const remarkDetail = (remark: string): Record<string, boolean> => (remark === '' ? {} : { isUnproven: true });
