import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { matchFollowUps } from './match-follow-ups.ts';
import { remindOfFollowUps } from './remind.ts';

/** Compares waiting rows with new studies, and reminds of overdue rows, every minute. Returns a function that stops it. */
export const startFollowUpRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({
    everyMs: 60_000,
    runOnce: async () => {
      await matchFollowUps(scopes, onError);
      await remindOfFollowUps(scopes, onError);
    },
    onError,
  });
