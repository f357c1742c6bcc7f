import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { notifyOverdue } from './notify-overdue.ts';

/** Notifies users of overdue assignments every minute. Returns a function that stops it. */
export const startOverdueRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 60_000, runOnce: () => notifyOverdue(scopes, onError), onError });
