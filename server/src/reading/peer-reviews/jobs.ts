import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { drawReports } from './draw-reports.ts';

/** Chooses reports for peer review every ten minutes. Returns a function that stops it. */
export const startDrawing = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 600_000, runOnce: () => drawReports(scopes, onError), onError });
