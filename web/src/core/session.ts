import type { Access } from '@radwork/contract/access';
import { mayCall, type SignedIn, signedIn } from '@radwork/contract/sessions';
import { useSyncExternalStore } from 'react';

/** Where local storage keeps who is signed in, so that neither a reload nor a second tab asks again. */
const names = { token: 'token', user: 'user', tenant: 'tenant', roles: 'roles' } as const;

type Stored = Record<keyof typeof names, string | null>;

const stored = (): Stored => ({
  token: localStorage.getItem(names.token),
  user: localStorage.getItem(names.user),
  tenant: localStorage.getItem(names.tenant),
  roles: localStorage.getItem(names.roles),
});

const parse = ({ token, user, tenant, roles }: Stored): SignedIn | undefined => {
  if (token === null || user === null || tenant === null || roles === null) return undefined;
  try {
    return signedIn.parse({
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

let last: { texts: string; session: SignedIn | undefined } = { texts: '', session: undefined };

/** The stored session, the same object until the storage changes; undefined when nobody is signed in. */
export const readSession = (): SignedIn | undefined => {
  const now = stored();
  const texts = Object.values(now).join('\n');
  if (texts !== last.texts) last = { texts, session: parse(now) };
  return last.session;
};

const listeners = new Set<() => void>();
const announce = () => {
  for (const listener of listeners) listener();
};

/** Stores who signed in, or what the server says of them now. */
export const keepSession = ({ token, user, tenant, roles }: SignedIn) => {
  localStorage.setItem(names.roles, JSON.stringify(roles));
  localStorage.setItem(names.tenant, JSON.stringify(tenant));
  localStorage.setItem(names.user, JSON.stringify(user));
  // Other tabs wake up at the token: it is written last and removed first, so they never see it beside another user.
  localStorage.setItem(names.token, token);
  announce();
};

/** Forgets who was signed in. Ending the session on the server is the caller's business. */
export const clearSession = () => {
  if (localStorage.getItem(names.token) === null) return;
  for (const name of Object.values(names)) localStorage.removeItem(name);
  announce();
};

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

export const useSession = (): SignedIn | undefined => useSyncExternalStore(onSessionChange, readSession);

/** Whether the signed-in person may make this call; screens hide or explain what would be refused. */
export const may = ({ can }: { can: Access }): boolean => mayCall(readSession(), can);
