import type { Scopes } from '#core/access/scope.ts';

/** Receives the studies of a tenant that got images. Must return at once: an upload waits for it. */
type Listener = (tenantId: number, studyIds: readonly string[]) => void;

const listeners = new WeakMap<Scopes, Set<Listener>>();

/** Notifies a listener after each commit of this server. Returns a function that ends this. */
export const onStudiesStored = (scopes: Scopes, listener: Listener): (() => void) => {
  const ofServer = listeners.get(scopes) ?? new Set();
  listeners.set(scopes, ofServer.add(listener));
  return () => ofServer.delete(listener);
};

/** Call after the commit. */
export const noteStoredStudies = (scopes: Scopes, tenantId: number, studyIds: readonly string[]): void => {
  for (const listener of listeners.get(scopes) ?? []) listener(tenantId, studyIds);
};
