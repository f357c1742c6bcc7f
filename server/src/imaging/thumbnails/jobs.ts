import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '#core/context.ts';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import { createWado } from '#imaging/archive/dicomweb/wado-context.ts';
import { onStudiesStored } from '#imaging/archive/store/stored-studies.ts';
import { renderThumbnails } from './render-thumbnails.ts';
import { createWaitingStudies } from './waiting-studies.ts';

/** Milliseconds between two thumbnails, during which the load of the server is measured. */
const pause = 100;
/** Share of the time for which the main thread may work for users while thumbnails are rendered. */
const mostLoad = 0.3;
/** Pauses that one thumbnail waits for a quiet server. Later, the rest of the study is rendered on demand. */
const mostPauses = 300;

type Timing = { everyMs?: number; quiet?: number | undefined; isQuiet?: () => Promise<boolean> };

/** Waits for a pause and returns whether the main thread was mostly idle during it. */
const wasQuiet = async (): Promise<boolean> => {
  const before = performance.eventLoopUtilization();
  await wait(pause);
  return performance.eventLoopUtilization(before).utilization < mostLoad;
};

/**
 * Renders thumbnails of arriving studies in the background, one at a time, while the server is quiet: at most ten a
 * second. Keeps the waiting studies in memory. After a restart, their thumbnails are rendered on demand. Returns a
 * function that stops it.
 */
export const startThumbnails = (
  context: Pick<Context, 'blobs' | 'scopes' | 'config' | 'sessions'>,
  onError: (error: unknown) => void,
  { everyMs = 2000, quiet, isQuiet = wasQuiet }: Timing = {},
): (() => Promise<void>) => {
  const wado = createWado(context, { isBackground: true });
  const waiting = createWaitingStudies(quiet === undefined ? {} : { quiet });
  let isStopping = false;
  const forget = onStudiesStored(context.scopes, waiting.add);

  const mayContinue = async (): Promise<boolean> => {
    for (let pauses = 0; pauses < mostPauses && !isStopping; pauses += 1) if (await isQuiet()) return !isStopping;
    return false;
  };

  const renderDue = async () => {
    while (!isStopping && waiting.size() > 0 && (await mayContinue())) {
      const study = waiting.take();
      if (!study) return;
      await renderThumbnails(wado, study, mayContinue).catch(onError);
    }
  };

  const stop = startPeriodicTask({ everyMs, runOnce: renderDue, onError });
  return async () => {
    isStopping = true;
    forget();
    // Ends the image that is being rendered, so that the server stops at once.
    await Promise.all([stop(), wado.renderer.close()]);
  };
};
