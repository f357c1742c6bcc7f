import { signingHeld } from '@radwork/contract/signing-holds';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { maySignUnproven, openHolds, wordsOf } from './stored-holds.ts';

/**
 * Refuses to put a name to something that may not be its owner's. Where the organisation lets such accounts sign, the
 * answer says what is open, for the signature and the audit; otherwise it is empty. Throws a 403.
 */
export const assertMaySign = async (scope: Scope): Promise<string> => {
  const { session } = scope;
  const holds = await openHolds(scope, session.userId);
  if (holds.length === 0) return '';
  const words = wordsOf(holds, session.timeZone);
  if (await maySignUnproven(scope)) return `The account was not confirmed when it signed: ${words}`;
  throw new Problem(
    403,
    signingHeld,
    `You cannot sign, approve or acknowledge until this is confirmed: ${words}. Your account page shows how.`,
  );
};

/** The same for the audit, which holds no names: the holds themselves stand in it. */
export const remarkDetail = (remark: string): Record<string, boolean> => (remark === '' ? {} : { isUnproven: true });
