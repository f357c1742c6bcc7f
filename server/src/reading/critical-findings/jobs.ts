import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { escalateFindings } from './escalate.ts';

/** Escalates findings that were not communicated, every 30 seconds. Returns a function that stops it. */
export const startEscalation = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 30_000, runOnce: () => escalateFindings(scopes, onError), onError });
