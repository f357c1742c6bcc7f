import { isSuperAdmin, sessionTenant, type SignedIn } from '@radwork/contract/identity/sessions';
import { z } from 'zod';

/* A super administrator may visit another organization. Each tab is in one organization and sends it with every
   call. A change reloads the page, so no data of one organization appears in another. Session storage belongs to
   the tab, so tabs do not mix. */

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

/** The visit when the page was loaded. A later stored visit applies to the next load. */
let current = stored();

/** Organization that this tab visits as this user. Another user does not continue the visit. */
export const visitOf = (session: SignedIn): SignedIn['tenant'] | undefined =>
  current && isSuperAdmin(session) && current.userId === session.user.id ? current.tenant : undefined;

/** Subdomain of the visited organization. A visit has its own live stream; tabs at home share one. */
export const visitedSubdomain = (): string | undefined => current?.tenant.subdomain;

/** Ends the visit at sign-out; the next user starts at home. */
export const forgetVisit = (): void => {
  current = undefined;
  sessionStorage.removeItem(storageName);
};

/** Time for the browser to leave the page. It may refuse, because the user wants to save. In milliseconds. */
const leavesWithin = 5000;

/** Reloads the product in another organization, or at home. */
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

// A page restored from browser memory would show the previous organization.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && JSON.stringify(stored()) !== JSON.stringify(current)) window.location.reload();
});
