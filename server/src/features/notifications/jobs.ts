import { startRounds } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { forgetNotifications } from './forget-notifications.ts';

/** Deletes old notifications every hour. Returns a function that stops it. */
export const startNotificationRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startRounds({ everyMs: 3_600_000, round: () => forgetNotifications(scopes), onError });
