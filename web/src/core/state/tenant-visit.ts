import { isSuperAdmin, sessionTenant, type SignedIn } from '@radwork/contract/identity/sessions';
import { z } from 'zod';

/*
 * Name in session storage of the visited organization. A super administrator may visit other organizations. Each tab is
 * in one organization and sends it with every call. A change reloads the page, so that no data of one organization
 * appears in another. Each tab has its own session storage.
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

/** Organization visited when the page loaded. A later change in storage applies only after a reload. */
let current = stored();

/** Returns the organization that this tab visits as this user. Another user does not continue the visit. */
export const visitOf = (session: SignedIn): SignedIn['tenant'] | undefined =>
  current && isSuperAdmin(session) && current.userId === session.user.id ? current.tenant : undefined;

/**
 * Returns the subdomain of the visited organization. Each visited organization has its own live stream; all other tabs
 * share a stream.
 */
export const visitedSubdomain = (): string | undefined => current?.tenant.subdomain;

/** Ends the visit at sign-out, so that the next user starts in their own organization. */
export const forgetVisit = (): void => {
  current = undefined;
  sessionStorage.removeItem(storageName);
};

/**
 * Time in milliseconds for the browser to leave the page. After this time, the switch is dropped, because the user may
 * have stayed to save input.
 */
const leavesWithin = 5000;

/** Reloads the product in another organization, or in the user's own. */
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

// Reloads a page restored from browser memory, because it would show the previous organization.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && JSON.stringify(stored()) !== JSON.stringify(current)) window.location.reload();
});
