import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs.ts';
import { openRemote } from '#features/remote-archives/open-remote.ts';
import type { Retries } from './fetch-study.ts';
import { importStudy } from './run-import.ts';
import { importQueue } from './service.ts';

/** Imports at once: of one server, and of one tenant on all servers. They mostly wait for somebody else's network. */
const mostAtOnce = 4;
const mostPerTenant = 2;

/** How an archive that fails is asked again by itself (design/security.md §2.8). */
const usualRetries: Retries = { most: 5, firstPauseMs: 1000 };

/**
 * Milliseconds in which some instance that is wanted must have been stored, whatever else an archive sends meanwhile: the
 * largest there may be, over the slowest line of a practice.
 */
const usualLull = 7_200_000;

type Options = {
  /** Hears of errors of ours. */
  onError: (error: unknown) => void;
  retries?: Retries;
  /** Milliseconds, and seconds; other than the usual ones for tests. */
  longestLull?: number;
  pauseSeconds?: number;
};

/** Does the imports that are queued, from now on. Returns how to stop; what is under way then goes back to the queue. */
export const startImports = (
  context: Context,
  url: string,
  { onError, retries = usualRetries, longestLull = usualLull, ...more }: Options,
): (() => Promise<void>) =>
  startWorker({
    scopes: context.scopes,
    url,
    queue: importQueue,
    mostAtOnce,
    mostPerTenant,
    run: importStudy({
      context,
      openSource: (session, configId) => openRemote(context, session, configId),
      retries,
      longestLull,
      onError,
      ...more,
    }),
    onError,
  });
