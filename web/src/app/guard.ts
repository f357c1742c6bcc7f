import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { confirmSession } from '#core/confirm-session.ts';

/** Lets a signed-in person pass and sends everybody else to sign in, with the page to return to. */
export const requireSession = async ({ location }: { location: ParsedLocation }): Promise<void> => {
  if (await confirmSession()) return;
  // The router's redirects are thrown values, not errors.
  // oxlint-disable-next-line typescript/only-throw-error
  throw redirect({ to: '/login', search: { redirect: location.href }, replace: true });
};
