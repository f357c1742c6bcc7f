import { ssoFragment, ssoJourney } from '@radwork/contract/identity/single-sign-on';
import { signedInAgainPath } from '@radwork/contract/identity/signed-in-again-path';
import type { SsoFailure } from '@radwork/contract/identity/single-sign-on-failures';

/**
 * Returns the URL to which the provider redirects users after sign-in. `origin` is the address of this server in
 * browsers.
 */
export const journeysEnd = (origin: string): string => `${origin}${ssoJourney.callback.path}`;

/**
 * Returns a path of this site unchanged. Returns an empty text for anything else, such as "//other.example" and
 * "/\other.example".
 */
export const localPath = (path: string): string => {
  const origin = 'https://here.invalid';
  const isLocal = path.startsWith('/') && URL.canParse(path, origin) && new URL(path, origin).origin === origin;
  return isLocal && path.length <= 2000 ? path : '';
};

/** The page after a sign-in: the requested one, or the page for a repeated sign-in. */
export type SignInTarget = { path: string; isAgain: boolean };

const signInPage = ({ path, isAgain }: SignInTarget, fragment: string): string => {
  if (isAgain) return `${signedInAgainPath}#${fragment}`;
  const query = path === '' ? '' : `?${new URLSearchParams({ redirect: path })}`;
  return `/login${query}#${fragment}`;
};

/** Returns the sign-in page with a ticket after the "#". No server or log receives this part of the URL. */
export const pageWithTicket = (way: SignInTarget, ticket: string): string =>
  signInPage(way, `${ssoFragment.ticket}=${ticket}`);

export const pageWithFailure = (way: SignInTarget, failure: SsoFailure): string =>
  signInPage(way, `${ssoFragment.failure}=${failure}`);
