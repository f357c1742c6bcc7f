import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs.ts';
import { startRounds } from '#core/rounds.ts';
import { sql } from 'kysely';
import { outreachQueue } from './queue-messages.ts';
import { type Pauses, runMessage } from './run-message.ts';

/** Messages at once, of one server. */
const mostAtOnce = 12;
/** By different channels: mail, and each webhook and person, have lanes of their own. */
const mostPerTenant = 6;

/** Seconds after each attempt; a critical finding cannot wait for a server to be back for long. */
const usualPauses: Pauses = {
  critical: [5, 15, 30, 60, 120, 300],
  news: [15, 60, 300, 1800, 3600],
};

/** Days for which messages are kept that belong to no finding. */
const keptDays = 90;

type Options = { onError: (error: unknown) => void; pauses?: Pauses };

/** Sends what is in the outbox, from now on. Returns how to stop; what is under way then goes back to the queue. */
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
  const stopRounds = startRounds({ everyMs: 3_600_000, round: forget, onError });
  return async () => {
    await stopRounds();
    await stopWorker();
  };
};
