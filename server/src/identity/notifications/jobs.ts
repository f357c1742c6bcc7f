import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { deleteOldNotifications } from './forget-notifications.ts';

/** Deletes old notifications every hour. Returns a function that stops it. */
export const startNotificationRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 3_600_000, runOnce: () => deleteOldNotifications(scopes), onError });
