import type { Context } from '#core/context.ts';
import { startWorker } from '#core/jobs/jobs.ts';
import { openRemote } from '#imaging/remote-archives/open-remote.ts';
import type { Retries } from './fetch-study.ts';
import { importStudy } from './run-import.ts';
import { importQueue } from './service.ts';

/** Imports that run at once: per server, and per tenant on all servers. Imports mostly wait for another network. */
const mostAtOnce = 4;
const mostPerTenant = 2;

/** Automatic retries when an archive fails. */
const usualRetries: Retries = { most: 5, firstPauseMs: 1000 };

/**
 * Milliseconds after which an import without a newly stored instance is stopped, even if the archive sends other data.
 * Long enough for the largest instance over the slowest line of a practice.
 */
const usualLull = 7_200_000;

type Options = {
  /** Called with internal errors. */
  onError: (error: unknown) => void;
  retries?: Retries;
  /** `idleTimeoutMs` replaces `usualLull`. Tests use shorter times. */
  idleTimeoutMs?: number;
  pauseSeconds?: number;
};

/** Starts the worker for queued imports. Returns a function that stops it and returns running imports to the queue. */
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
