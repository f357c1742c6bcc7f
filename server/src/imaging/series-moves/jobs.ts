import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs/jobs.ts';
import { moveQueue } from './move-series.ts';
import { runMove } from './run-move.ts';

/** Moves that run at once: per server, and per tenant on all servers. They write as fast as the disk takes. */
const mostAtOnce = 2;
const mostPerTenant = 1;

/** Starts the worker for moves of series. Returns a function that stops it and returns running moves to the queue. */
export const startMoves = (
  archive: Context,
  url: string,
  options: { onError: (error: unknown) => void; pauseSeconds?: number },
): (() => Promise<void>) =>
  startWorker({
    scopes: archive.scopes,
    url,
    queue: moveQueue,
    mostAtOnce,
    mostPerTenant,
    run: runMove({ archive, ...options }),
    onError: options.onError,
  });
