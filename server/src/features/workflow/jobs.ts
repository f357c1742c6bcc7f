import { startPeriodicTask } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { notifyOverdue } from './overdue.ts';

/** Notifies of overdue assignments every minute. Returns a function that stops it. */
export const startOverdueRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 60_000, runOnce: () => notifyOverdue(scopes, onError), onError });
