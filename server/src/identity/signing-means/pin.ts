import { t } from '@radwork/contract/core/translate';
import { reauthenticationNeeded } from '@radwork/contract/reading/report-parts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { passwordMatches } from '#core/access/passwords.ts';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { attemptAtPin, countedAttempt, WrongAttempt } from '#identity/credentials/sign-in-limits.ts';
import { storedPin } from './stored-means.ts';

/**
 * Compares a PIN with that of the caller. Throws 403 if it is missing, and 422 at the field if it is wrong or the
 * caller has none. Throws 429 after too many wrong PINs, by the limit for passwords.
 */
export const usePin = async (
  { scopes, vault }: Pick<Context, 'scopes' | 'vault'>,
  session: Session,
  pin: string | undefined,
): Promise<void> => {
  const stored = await scopes.inTenant(session, (scope) => storedPin(scope, vault));
  const { hash } = stored ?? {};
  if (hash === undefined) throw invalid({ pin: t`You have no signing PIN. Set a PIN under My account.` });
  if (!pin) {
    const message = t`Enter your signing PIN`;
    throw new Problem(403, reauthenticationNeeded, message, { fields: { pin: message } });
  }
  const note = (action: 'signing_pin.refuse' | 'signing_pin.lock') =>
    scopes.inTenant(session, (scope) =>
      audit(scope, action, { entity: 'user', entityId: session.userId, outcome: 'FAILURE' }),
    );
  await countedAttempt(scopes, attemptAtPin(session, session.address), {
    onTooMany: () => note('signing_pin.lock'),
    work: async () => {
      if (await passwordMatches(hash, pin)) return;
      await note('signing_pin.refuse');
      const { status, error, message, fields = {} } = invalid({ pin: t`The PIN is wrong` });
      throw new WrongAttempt(status, error, message, { fields });
    },
  });
};
