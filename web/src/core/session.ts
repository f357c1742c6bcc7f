import type { Access } from '@radwork/contract/access';
import { isSessionEnd, mayCall, type SessionEnd, type SignedIn, signedIn } from '@radwork/contract/sessions';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { forgetVisit, visitOf } from './visit.ts';

/** Where local storage keeps who is signed in, so that neither a reload nor a second tab asks again. */
const names = { token: 'token', user: 'user', tenant: 'tenant', roles: 'roles' } as const;

/** Where it keeps why the last session ended. */
const endName = 'session-end';

/** Where it keeps that the browser's cache may hold images of a session that is over. */
const imagesName = 'images-left';

const keptSession = signedIn.omit({ textKey: true });
/** What stays in the browser of who is signed in. Their text key does not: it lives in the page (docs/decisions/0057). */
export type KeptSession = z.infer<typeof keptSession>;

type Stored = Record<keyof typeof names, string | null>;

const stored = (): Stored => ({
  token: localStorage.getItem(names.token),
  user: localStorage.getItem(names.user),
  tenant: localStorage.getItem(names.tenant),
  roles: localStorage.getItem(names.roles),
});

const parse = ({ token, user, tenant, roles }: Stored): KeptSession | undefined => {
  if (token === null || user === null || tenant === null || roles === null) return undefined;
  try {
    return keptSession.parse({
      token,
      user: JSON.parse(user),
      tenant: JSON.parse(tenant),
      roles: JSON.parse(roles),
    });
  } catch {
    // Somebody else's words under our names are no session.
    return undefined;
  }
};

/** Whoever has been signed in since the page was loaded. */
const seenHere = new Set<string>();

type Known = { texts: string; session: KeptSession | undefined; home: KeptSession['tenant'] | undefined };
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
 * The stored session, the same object until the storage changes; undefined when nobody is signed in. Its tenant is the
 * one that this tab is in, which a super administrator may only visit.
 */
export const readSession = (): KeptSession | undefined => known().session;

/** Where the person signed in is at home, while this tab is in another organisation. */
export const readHome = (): KeptSession['tenant'] | undefined => {
  const { session, home } = known();
  return session?.tenant.subdomain === home?.subdomain ? undefined : home;
};

/** Whether this page has shown something to somebody else than whoever is signed in now. */
export const hasServedAnother = (): boolean => readSession() !== undefined && seenHere.size > 1;

const listeners = new Set<() => void>();
const announce = () => {
  for (const listener of listeners) listener();
};

/** By the id of their owner: of those who were signed in since the page was loaded, who may still be writing. */
const textKeys = new Map<string, string>();

/** The key under which what somebody writes is kept until the server has it; undefined before the server has told it. */
export const textKeyOf = (userId: string): string | undefined => textKeys.get(userId);

/** Stores who signed in, or what the server says of them now. */
export const keepSession = ({ textKey, ...session }: SignedIn) => {
  if (textKey !== undefined) textKeys.set(session.user.id, textKey);
  store(session);
};

const store = ({ token, user, tenant, roles }: KeptSession) => {
  localStorage.setItem(names.roles, JSON.stringify(roles));
  localStorage.setItem(names.tenant, JSON.stringify(tenant));
  localStorage.setItem(names.user, JSON.stringify(user));
  localStorage.removeItem(endName);
  // Other tabs wake up at the token: it is written last and removed first, so they never see it beside another user.
  localStorage.setItem(names.token, token);
  announce();
};

/** Keeps that nothing is let through any more before a second factor is set up. */
export const noteSecondFactorNeeded = () => {
  const session = readSession();
  if (!session || session.user.secondFactor === 'NEEDED') return;
  store({ ...session, user: { ...session.user, secondFactor: 'NEEDED' } });
};

/**
 * Forgets who was signed in. Ending the session on the server is the caller's business; `why` is what the server says
 * of one that it has ended, for the page on which to sign in, in all tabs.
 */
export const clearSession = (why?: string) => {
  if (localStorage.getItem(names.token) === null) return;
  if (why !== undefined && isSessionEnd(why)) localStorage.setItem(endName, JSON.stringify({ why, at: Date.now() }));
  localStorage.setItem(imagesName, '1');
  for (const name of Object.values(names)) localStorage.removeItem(name);
  forgetVisit();
  announce();
};

/** Somebody else may sit down here later. In milliseconds. */
const endIsNewsFor = 10 * 60_000;
const storedEnd = z.object({ why: z.string(), at: z.number() });

/** Why whoever was here a moment ago is signed in no longer; undefined when they left by themselves. */
export const readSessionEnd = (): SessionEnd | undefined => {
  try {
    const { why, at } = storedEnd.parse(JSON.parse(localStorage.getItem(endName) ?? ''));
    return isSessionEnd(why) && Date.now() - at < endIsNewsFor ? why : undefined;
  } catch {
    return undefined;
  }
};

export const forgetSessionEnd = (): void => localStorage.removeItem(endName);

/** Whether the browser's cache may hold images of somebody who has left (left-behind.ts). */
export const mayHoldImages = (): boolean => localStorage.getItem(imagesName) !== null;

export const forgetImagesLeft = (): void => localStorage.removeItem(imagesName);

/** Calls back when somebody signs in or out, in this tab or another one; returns how to stop. */
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

export const useSession = (): KeptSession | undefined => useSyncExternalStore(onSessionChange, readSession);

/** Whether the signed-in person may make this call; screens hide or explain what would be refused. */
export const may = ({ can }: { can: Access }): boolean => mayCall(readSession(), can);
