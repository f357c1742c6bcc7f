import { isSuperAdmin, sessionTenant, type SignedIn } from '@radwork/contract/sessions';
import { z } from 'zod';

/*
 * A super administrator may be in another organisation than their own. Each tab is in one, and says so to the server
 * with every call. It changes only with the page being loaded anew, so that nothing of one organisation, in memory or
 * on the way, is ever shown or sent in another. The storage is the tab's own: two tabs do not mix.
 */

const storageName = 'visit';
const visit = z.object({ userId: z.string(), tenant: sessionTenant });
type Visit = z.infer<typeof visit>;

const stored = (): Visit | undefined => {
  try {
    return visit.safeParse(JSON.parse(sessionStorage.getItem(storageName) ?? 'null')).data;
  } catch {
    return undefined;
  }
};

/** What was so when the page was loaded; what is stored meanwhile is for the next one. */
let current = stored();

/** The organisation that this tab visits as this person. Nobody else goes on with somebody's visit. */
export const visitOf = (session: SignedIn): SignedIn['tenant'] | undefined =>
  current && isSuperAdmin(session) && current.userId === session.user.id ? current.tenant : undefined;

/** The live stream of a visit is the tab's own; tabs at home share theirs. */
export const visitedSubdomain = (): string | undefined => current?.tenant.subdomain;

/** For signing out: whoever signs in next is at home. */
export const forgetVisit = (): void => {
  current = undefined;
  sessionStorage.removeItem(storageName);
};

/** A page that the browser refuses to leave, because somebody wants to save first, stays where it is. In milliseconds. */
const leavesWithin = 5000;

/** Loads the product anew in another organisation, or at home. */
export const goToTenant = (session: SignedIn, tenant: SignedIn['tenant'] | undefined): void => {
  const leaving = new AbortController();
  const keep = () => {
    if (tenant) sessionStorage.setItem(storageName, JSON.stringify({ userId: session.user.id, tenant }));
    else sessionStorage.removeItem(storageName);
  };
  window.addEventListener('pagehide', keep, { once: true, signal: leaving.signal });
  setTimeout(() => leaving.abort(), leavesWithin);
  window.location.assign('/');
};

// A page that comes back out of the browser's memory would be of the organisation that it was left in.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && JSON.stringify(stored()) !== JSON.stringify(current)) window.location.reload();
});
