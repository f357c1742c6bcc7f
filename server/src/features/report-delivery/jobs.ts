import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs.ts';
import { deliveryQueue } from './queue-delivery.ts';
import { deliverReport } from './run-delivery.ts';

/** Reports at once, of one server. */
const mostAtOnce = 8;
/** To different destinations: where one does not answer, the others go on. */
const mostPerTenant = 4;

/** How long it is waited after each attempt, in seconds: a server that is restarted, and one that is away for the night. */
const usualPauses = [5, 30, 120, 600, 3600, 6 * 3600];

type Options = {
  /** Hears of errors of ours. */
  onError: (error: unknown) => void;
  pauses?: readonly number[];
};

/** Sends the reports that are queued, from now on. Returns how to stop; what is under way then goes back to the queue. */
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
