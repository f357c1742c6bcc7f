import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { readSession } from '#core/state/session.ts';
import { confirmSession } from '#core/http/confirm-session.ts';

const enrolling = '/second-factor';
const isSecondFactorNeeded = () => readSession()?.user.secondFactor === 'NEEDED';

/**
 * Allows only users with a session and any required second factor. Redirects other users to sign in or to set up the
 * second factor. Passes on the address of the requested page, to which they then return.
 */
export const requireSession = async ({ location }: { location: ParsedLocation }): Promise<void> => {
  if (await confirmSession()) {
    if (!isSecondFactorNeeded() || location.pathname === enrolling) return;
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: enrolling, search: { redirect: location.href }, replace: true });
  }
  // Throws the redirect, as the router requires. It is not an error.
  // oxlint-disable-next-line typescript/only-throw-error
  throw redirect({ to: '/login', search: { redirect: location.href }, replace: true });
};
