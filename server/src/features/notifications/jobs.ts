import { startRounds } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { forgetNotifications } from './forget-notifications.ts';
import { tellOverdue } from './overdue.ts';

/**
 * Notifies of overdue assignments every minute and deletes old notifications every hour. Returns a function that stops
 * both.
 */
export const startNotificationRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) => {
  const telling = startRounds({ everyMs: 60_000, round: () => tellOverdue(scopes, onError), onError });
  const forgetting = startRounds({ everyMs: 3_600_000, round: () => forgetNotifications(scopes), onError });
  return async () => {
    await Promise.all([telling(), forgetting()]);
  };
};
