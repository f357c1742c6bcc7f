import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs/jobs.ts';
import { deliveryQueue } from './queue-delivery.ts';
import { deliverReport } from './run-delivery.ts';

/** Reports that one server sends in parallel. */
const mostAtOnce = 8;
/**
 * Maximum number of destinations of a tenant that are served in parallel. Several, so that a destination that does not
 * answer does not block the others.
 */
const mostPerTenant = 4;

/**
 * Seconds to wait after each attempt. The pauses suit a server that restarts, and a server that is off during the
 * night.
 */
const usualPauses = [5, 30, 120, 600, 3600, 6 * 3600];

type Options = {
  /** Receives unexpected errors. */
  onError: (error: unknown) => void;
  pauses?: readonly number[];
};

/** Starts sending queued reports. Returns a function that stops it; running jobs then return to the queue. */
export const startDeliveries = (
  context: Context,
  url: string,
  { onError, pauses = usualPauses }: Options,
): (() => Promise<void>) =>
  startWorker({
    scopes: context.scopes,
    url,
    queue: deliveryQueue,
    mostAtOnce,
    mostPerTenant,
    run: deliverReport({ context, pauses, onError }),
    onError,
  });
