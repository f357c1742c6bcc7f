import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs/jobs.ts';
import { openRemote } from '#imaging/remote-archives/open-remote.ts';
import type { Retries } from './fetch-study.ts';
import { importStudy } from './run-import.ts';
import { importQueue } from './service.ts';

/** Concurrent imports: per server, and per tenant on all servers. They mostly wait for another network. */
const mostAtOnce = 4;
const mostPerTenant = 2;

/** Automatic retries of a failing archive. */
const usualRetries: Retries = { most: 5, firstPauseMs: 1000 };

/**
 * Milliseconds within which a requested instance must be stored, whatever else the archive sends. Long enough for the
 * largest instance over the slowest line of a practice.
 */
const usualLull = 7_200_000;

type Options = {
  /** Called with our own errors. */
  onError: (error: unknown) => void;
  retries?: Retries;
  /** Milliseconds and seconds; tests use shorter ones. */
  idleTimeoutMs?: number;
  pauseSeconds?: number;
};

/**
 * Starts the worker for queued imports. Returns a function that stops it and puts running imports back into the queue.
 */
export const startImports = (
  context: Context,
  url: string,
  { onError, retries = usualRetries, idleTimeoutMs: longestLull = usualLull, ...more }: Options,
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
      idleTimeoutMs: longestLull,
      onError,
      ...more,
    }),
    onError,
  });
