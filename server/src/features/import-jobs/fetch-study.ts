import { setTimeout as wait } from 'node:timers/promises';
import type { TestCause } from '@radwork/contract/remote-configurations';
import { RemoteError, StatusError } from '#features/remote-archives/source.ts';
import { type Fetching, fetchMissing } from './fetch-missing.ts';
import { watchLull } from './lull.ts';
import { missingOf, type Progress } from './progress.ts';

/** How often an archive that fails is asked again, and how long it is left alone the first time. */
export type Retries = { most: number; firstPauseMs: number };

/** What may be otherwise a moment later. The rest stays as it is until somebody puts it right. */
const passing: ReadonlySet<TestCause> = new Set([
  'DNS',
  'CONNECTION_REFUSED',
  'TIMEOUT',
  'SERVER_ERROR',
  'OTHER',
] satisfies TestCause[]);

/**
 * Fetches a study, each time only what is missing. An archive that fails is given time, twice as long after each
 * failure and never the same to all who wait. What comes of it is in `progress`. `onAttempt` hears before each time that the archive is asked.
 */
export const fetchStudy = async (
  fetching: FetchingStudy & { longestLull?: number | undefined },
  progress: Progress,
  signal: AbortSignal,
): Promise<void> => {
  const lull = watchLull(fetching, progress, fetching.longestLull ?? Infinity);
  try {
    await fetchInTries(fetching, progress, AbortSignal.any([signal, lull.signal]));
  } finally {
    lull.stop();
  }
  // It is not asked again by itself: each time would take as long.
  if (lull.signal.aborted && !signal.aborted) progress.broken = tooLong();
};

const tooLong = () =>
  new RemoteError('TIMEOUT', 'The archive answers, but for too long nothing has come of what is wanted.');

type FetchingStudy = Fetching & { onAttempt: () => Promise<void>; retries: Retries };

const fetchInTries = async (fetching: FetchingStudy, progress: Progress, signal: AbortSignal): Promise<void> => {
  for (let retry = 0; ; retry += 1) {
    await fetching.onAttempt();
    const before = missingBefore(progress);
    await fetchMissing(fetching, progress, signal);
    if (signal.aborted || retry === fetching.retries.most || !isWorthAnotherTry(progress, before)) return;
    await fetching.onProgress(progress);
    const pauseMs = pauseAfter(progress.broken, retry, fetching.retries);
    // Interrupted: the signal says so to whoever asks next.
    await wait(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
};

/** An archive may ask to be left alone for longer. */
const longestAskedMs = 60_000;

export const pauseAfter = (error: RemoteError | undefined, retry: number, { firstPauseMs }: Retries): number => {
  const askedMs = error instanceof StatusError ? Math.min(error.retryAfterMs, longestAskedMs) : 0;
  return Math.max(askedMs, firstPauseMs * 2 ** retry * (0.5 + Math.random()));
};

const missingBefore = (progress: Progress): number =>
  progress.expected ? missingOf(progress).length : Number.POSITIVE_INFINITY;

/** Some archives send only so much at a time: what came without a fault but not whole is asked for as long as more comes. */
const isWorthAnotherTry = (progress: Progress, before: number): boolean => {
  if (progress.broken) return passing.has(progress.broken.remoteCause);
  const unexplained = missingOf(progress).filter((uid) => !progress.refused.has(uid));
  return unexplained.length > 0 && missingOf(progress).length < before && progress.here.size > 0;
};
