import type { Access } from '@radwork/contract/core/access';
import { isSessionEnd, mayCall, type SessionEnd, type SignedIn, signedIn } from '@radwork/contract/identity/sessions';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { forgetVisit, visitOf } from './tenant-visit.ts';

/** Names of the session data in local storage, where reloads and other tabs read it. */
const names = { token: 'token', user: 'user', tenant: 'tenant', roles: 'roles' } as const;

/** Name in local storage for the reason why the last session ended. */
const endName = 'session-end';

/** Name in local storage of the note that the browser cache may contain images of an ended session. */
const imagesName = 'images-left';

const storedSession = signedIn.omit({ textKey: true });
/** Session as stored in the browser. The key that encrypts unsaved texts stays in memory (docs/decisions/0057). */
export type StoredSession = z.infer<typeof storedSession>;

type Stored = Record<keyof typeof names, string | null>;

const stored = (): Stored => ({
  token: localStorage.getItem(names.token),
  user: localStorage.getItem(names.user),
  tenant: localStorage.getItem(names.tenant),
  roles: localStorage.getItem(names.roles),
});

const parse = ({ token, user, tenant, roles }: Stored): StoredSession | undefined => {
  if (token === null || user === null || tenant === null || roles === null) return undefined;
  try {
    return storedSession.parse({
      token,
      user: JSON.parse(user),
      tenant: JSON.parse(tenant),
      roles: JSON.parse(roles),
    });
  } catch {
    // Values that another program stored under these names are not a session.
    return undefined;
  }
};

/** Users who have signed in since the page loaded. */
const seenHere = new Set<string>();

type SessionCache = { texts: string; session: StoredSession | undefined; home: StoredSession['tenant'] | undefined };
let last: SessionCache = { texts: '', session: undefined, home: undefined };

const known = (): SessionCache => {
  const now = stored();
  const texts = Object.values(now).join('\n');
  if (texts !== last.texts) {
    const session = parse(now);
    const visited = session && visitOf(session);
    if (session) seenHere.add(`${session.tenant.subdomain} ${session.user.id}`);
    last = { texts, session: visited ? { ...session, tenant: visited } : session, home: session?.tenant };
  }
  return last;
};

/**
 * Returns the stored session, or undefined when signed out. Returns the same object until storage changes. Its tenant
 * is the organization of this tab, which may be an organization that a super administrator visits.
 */
export const readSession = (): StoredSession | undefined => known().session;

/** Returns the user's own organization while this tab visits another organization. */
export const readHome = (): StoredSession['tenant'] | undefined => {
  const { session, home } = known();
  return session?.tenant.subdomain === home?.subdomain ? undefined : home;
};

/** Whether another user was signed in on this page before the current user. */
export const hasServedAnother = (): boolean => readSession() !== undefined && seenHere.size > 1;

const listeners = new Set<() => void>();
const announce = () => {
  for (const listener of listeners) listener();
};

/** Keys for unsaved texts by user ID. Includes earlier users of this page, whose texts may still be stored. */
const textKeys = new Map<string, string>();

/** Returns the key that encrypts unsaved texts in this browser. Undefined until the server has sent it. */
export const textKeyOf = (userId: string): string | undefined => textKeys.get(userId);

/** Stores a new session, or new data of the current session. */
export const saveSession = ({ textKey, ...session }: SignedIn) => {
  if (textKey !== undefined) textKeys.set(session.user.id, textKey);
  store(session);
};

const store = ({ token, user, tenant, roles }: StoredSession) => {
  localStorage.setItem(names.roles, JSON.stringify(roles));
  localStorage.setItem(names.tenant, JSON.stringify(tenant));
  localStorage.setItem(names.user, JSON.stringify(user));
  localStorage.removeItem(endName);
  // The token is written last and removed first, because other tabs react to it. They must never combine it with the
  // data of another user.
  localStorage.setItem(names.token, token);
  announce();
};

/** Records that the server refuses all calls until the user has set up a second factor. */
export const noteSecondFactorNeeded = () => {
  const session = readSession();
  if (!session || session.user.secondFactor === 'NEEDED') return;
  store({ ...session, user: { ...session.user, secondFactor: 'NEEDED' } });
};

/**
 * Deletes the session from this browser. The caller must end the session on the server. `why` is the server's reason,
 * which the sign-in screen shows in all tabs.
 */
export const clearSession = (why?: string) => {
  if (localStorage.getItem(names.token) === null) return;
  if (why !== undefined && isSessionEnd(why)) localStorage.setItem(endName, JSON.stringify({ why, at: Date.now() }));
  localStorage.setItem(imagesName, '1');
  for (const name of Object.values(names)) localStorage.removeItem(name);
  forgetVisit();
  announce();
};

/**
 * Time in milliseconds for which the sign-in screen shows why a session ended. After that, another user may be at this
 * computer.
 */
const endIsNewsFor = 10 * 60_000;
const storedEnd = z.object({ why: z.string(), at: z.number() });

/** Returns the reason why the server ended the last session. Undefined after a normal sign-out. */
export const readSessionEnd = (): SessionEnd | undefined => {
  try {
    const { why, at } = storedEnd.parse(JSON.parse(localStorage.getItem(endName) ?? ''));
    return isSessionEnd(why) && Date.now() - at < endIsNewsFor ? why : undefined;
  } catch {
    return undefined;
  }
};

export const forgetSessionEnd = (): void => localStorage.removeItem(endName);

/** Whether the browser cache may contain images of an ended session (session-cleanup.ts). */
export const mayHoldImages = (): boolean => localStorage.getItem(imagesName) !== null;

export const forgetImagesLeft = (): void => localStorage.removeItem(imagesName);

/** Calls `listener` on sign-in and sign-out, including in other tabs. Returns a function that removes the listener. */
export const onSessionChange = (listener: () => void): (() => void) => {
  const inOtherTab = ({ key }: StorageEvent) => {
    if (key === null || key === names.token) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', inOtherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', inOtherTab);
  };
};

export const useSession = (): StoredSession | undefined => useSyncExternalStore(onSessionChange, readSession);

/** Whether the signed-in user may make this call. Screens hide or explain calls that are not allowed. */
export const may = ({ can }: { can: Access }): boolean => mayCall(readSession(), can);
