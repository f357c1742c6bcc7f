import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { type WrongSums, addChangesOfAllTenants } from './update-sums.ts';

type DashboardListeners = { onDrift: (drift: WrongSums) => void; onError: (error: unknown) => void };

/** Adds recent changes to the sums of the dashboard every ten seconds. Returns a function that stops it. */
export const startDashboardRounds = (scopes: Scopes, { onDrift, onError }: DashboardListeners): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 10_000, runOnce: () => addChangesOfAllTenants(scopes, onDrift, onError), onError });
