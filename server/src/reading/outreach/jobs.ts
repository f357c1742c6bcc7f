import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs/jobs.ts';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import { sql } from 'kysely';
import { outreachQueue } from './queue-messages.ts';
import { type Pauses, runMessage } from './run-message.ts';

/** Messages that one server sends at the same time. */
const mostAtOnce = 12;
/**
 * Messages of one tenant that are sent at once. Messages in a lane wait for each other. Mail, each webhook and each
 * user's devices have separate lanes (queue-messages.ts).
 */
const mostPerTenant = 6;

/**
 * Seconds to wait after each attempt. The pauses of critical messages are short, so that they are sent soon after a
 * failure ends.
 */
const usualPauses: Pauses = {
  critical: [5, 15, 30, 60, 120, 300],
  ordinary: [15, 60, 300, 1800, 3600],
};

/** Days for which messages without a finding are stored. */
const keptDays = 90;

type Options = { onError: (error: unknown) => void; pauses?: Pauses };

/** Starts sending queued messages. Returns a function that stops it and returns running messages to the queue. */
export const startOutreach = (
  context: Pick<Context, 'config' | 'scopes' | 'outgoing' | 'vault'>,
  url: string,
  { onError, pauses = usualPauses }: Options,
): (() => Promise<void>) => {
  const { scopes } = context;
  const run = runMessage({ context, pauses, onError });
  const stopWorker = startWorker({ scopes, url, queue: outreachQueue, mostAtOnce, mostPerTenant, run, onError });
  const forget = () =>
    scopes.withoutTenant(async (db) => {
      await sql`select forget_outbound_messages(${keptDays})`.execute(db);
    });
  const stopRounds = startPeriodicTask({ everyMs: 3_600_000, runOnce: forget, onError });
  return async () => {
    await stopRounds();
    await stopWorker();
  };
};
