import { signedInAgainPath, ssoFragment, type SsoFailure, ssoJourney } from '@radwork/contract/single-sign-on';

/** Where the provider sends people back to; `origin` is where browsers find this server. */
export const journeysEnd = (origin: string): string => `${origin}${ssoJourney.callback.path}`;

/** A path of this site, as it was asked for, or an empty text; "//other.example" and "/\other.example" are none (C5). */
export const localPath = (path: string): string => {
  const here = 'https://here.invalid';
  const isLocal = path.startsWith('/') && URL.canParse(path, here) && new URL(path, here).origin === here;
  return isLocal && path.length <= 2000 ? path : '';
};

/** What a sign-in leads to: the page that was asked for, or that of whoever was asked once more who they are. */
export type Way = { path: string; isAgain: boolean };

const signInPage = ({ path, isAgain }: Way, fragment: string): string => {
  if (isAgain) return `${signedInAgainPath}#${fragment}`;
  const query = path === '' ? '' : `?${new URLSearchParams({ redirect: path })}`;
  return `/login${query}#${fragment}`;
};

/** The sign-in page with a ticket behind the "#", which no server and no log ever sees. */
export const pageWithTicket = (way: Way, ticket: string): string => signInPage(way, `${ssoFragment.ticket}=${ticket}`);

export const pageWithFailure = (way: Way, failure: SsoFailure): string =>
  signInPage(way, `${ssoFragment.failure}=${failure}`);
