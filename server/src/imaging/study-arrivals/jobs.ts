import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { announceArrivals } from './announce-arrivals.ts';

/** Seconds without a change after which a study counts as complete. Modalities pause between series. */
const quietSeconds = 60;

/** Announces studies that have arrived, every 15 seconds. Returns a function that stops it. */
export const startArrivalRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({
    everyMs: 15_000,
    runOnce: () => announceArrivals(scopes, quietSeconds, onError),
    onError,
  });
