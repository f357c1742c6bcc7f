import type { Access } from '@radwork/contract/core/access';
import { isSessionEnd, mayCall, type SessionEnd, type SignedIn, signedIn } from '@radwork/contract/identity/sessions';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { forgetVisit, visitOf } from './tenant-visit.ts';

/** Names in local storage for the session. Reloads and other tabs read it there. */
const names = { token: 'token', user: 'user', tenant: 'tenant', roles: 'roles' } as const;

/** Name in local storage for the reason why the last session ended. */
const endName = 'session-end';

/** Name in local storage: the browser cache may hold images of an ended session. */
const imagesName = 'images-left';

const storedSession = signedIn.omit({ textKey: true });
/** Session as stored in the browser. The text key stays in memory (docs/decisions/0057). */
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
    // Foreign values under our names are no session.
    return undefined;
  }
};

/** Users signed in since the page was loaded. */
const seenHere = new Set<string>();

type Known = { texts: string; session: StoredSession | undefined; home: StoredSession['tenant'] | undefined };
let last: Known = { texts: '', session: undefined, home: undefined };

const known = (): Known => {
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
 * Returns the stored session; the same object until storage changes; undefined when signed out. Its tenant is that of
 * this tab, which a super administrator may only visit.
 */
export const readSession = (): StoredSession | undefined => known().session;

/** Home tenant of the user, while this tab visits another organization. */
export const readHome = (): StoredSession['tenant'] | undefined => {
  const { session, home } = known();
  return session?.tenant.subdomain === home?.subdomain ? undefined : home;
};

/** Checks whether this page has served another user than the current one. */
export const hasServedAnother = (): boolean => readSession() !== undefined && seenHere.size > 1;

const listeners = new Set<() => void>();
const announce = () => {
  for (const listener of listeners) listener();
};

/** Text keys by user ID. Includes earlier users of this page, who may still be writing. */
const textKeys = new Map<string, string>();

/** Key that seals unsaved text in this browser. Undefined until the server has sent it. */
export const textKeyOf = (userId: string): string | undefined => textKeys.get(userId);

/** Stores a new session, or the current data of the same one. */
export const saveSession = ({ textKey, ...session }: SignedIn) => {
  if (textKey !== undefined) textKeys.set(session.user.id, textKey);
  store(session);
};

const store = ({ token, user, tenant, roles }: StoredSession) => {
  localStorage.setItem(names.roles, JSON.stringify(roles));
  localStorage.setItem(names.tenant, JSON.stringify(tenant));
  localStorage.setItem(names.user, JSON.stringify(user));
  localStorage.removeItem(endName);
  // Other tabs react to the token. It is written last and removed first, so they never pair it with another user.
  localStorage.setItem(names.token, token);
  announce();
};

/** Notes that the server refuses all calls until the user sets up a second factor. */
export const noteSecondFactorNeeded = () => {
  const session = readSession();
  if (!session || session.user.secondFactor === 'NEEDED') return;
  store({ ...session, user: { ...session.user, secondFactor: 'NEEDED' } });
};

/**
 * Deletes the session from this browser. The caller ends it on the server. `why` is the reason of the server, which the
 * sign-in page shows in all tabs.
 */
export const clearSession = (why?: string) => {
  if (localStorage.getItem(names.token) === null) return;
  if (why !== undefined && isSessionEnd(why)) localStorage.setItem(endName, JSON.stringify({ why, at: Date.now() }));
  localStorage.setItem(imagesName, '1');
  for (const name of Object.values(names)) localStorage.removeItem(name);
  forgetVisit();
  announce();
};

/** Lifetime of the reason, because another user may sit here later. In milliseconds. */
const endIsNewsFor = 10 * 60_000;
const storedEnd = z.object({ why: z.string(), at: z.number() });

/** Reason why the server ended the last session. Undefined after a normal sign-out. */
export const readSessionEnd = (): SessionEnd | undefined => {
  try {
    const { why, at } = storedEnd.parse(JSON.parse(localStorage.getItem(endName) ?? ''));
    return isSessionEnd(why) && Date.now() - at < endIsNewsFor ? why : undefined;
  } catch {
    return undefined;
  }
};

export const forgetSessionEnd = (): void => localStorage.removeItem(endName);

/** Checks whether the browser cache may hold images of an ended session (session-cleanup.ts). */
export const mayHoldImages = (): boolean => localStorage.getItem(imagesName) !== null;

export const forgetImagesLeft = (): void => localStorage.removeItem(imagesName);

/** Calls back on sign-in and sign-out, also in other tabs. Returns a function to stop. */
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

/** Checks whether the signed-in user may make this call. Screens hide or explain forbidden calls. */
export const may = ({ can }: { can: Access }): boolean => mayCall(readSession(), can);
