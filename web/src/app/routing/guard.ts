import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { readSession } from '#core/state/session.ts';
import { confirmSession } from '#core/http/confirm-session.ts';

const enrolling = '/second-factor';
const isSecondFactorNeeded = () => readSession()?.user.secondFactor === 'NEEDED';

/**
 * Lets users pass who have a session and any required second factor. Sends others to sign in or to enrollment, with the
 * page to return to.
 */
export const requireSession = async ({ location }: { location: ParsedLocation }): Promise<void> => {
  if (await confirmSession()) {
    if (!isSecondFactorNeeded() || location.pathname === enrolling) return;
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: enrolling, search: { redirect: location.href }, replace: true });
  }
  // The router's redirects are thrown values, not errors.
  // oxlint-disable-next-line typescript/only-throw-error
  throw redirect({ to: '/login', search: { redirect: location.href }, replace: true });
};
