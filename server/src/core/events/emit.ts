import { type Events, type Listener, listenersOf } from './extensions.ts';
import type { Scope } from '#core/access/scope.ts';

/** Runs the listeners of an event one after another, in the transaction of the scope. The first error stops them. */
export const emit = async <E extends keyof Events>(scope: Scope, event: E, payload: Events[E]): Promise<void> => {
  const listeners: Record<string, Listener<Scope, E>> = scope.extensions.listeners[event];
  for (const name of listenersOf[event]) {
    const listener = listeners[name];
    if (!listener) throw new Error(`${event} has no listener ${name}`);
    await listener(scope, payload);
  }
};
