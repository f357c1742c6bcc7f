import { t } from '@radwork/contract/core/translate';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestCause } from '@radwork/contract/core/connection-test';
import { RemoteError, StatusError } from '#imaging/remote-archives/remote-source.ts';
import { type Fetching, fetchMissing } from './fetch-missing.ts';
import { abortWhenIdle } from './idle-timeout.ts';
import { missingOf, type Progress } from './progress.ts';

/** How often an archive that fails is retried, and the first pause in milliseconds. */
export type Retries = { most: number; firstPauseMs: number };

/** Causes that may end by themselves, so a retry makes sense. Other causes need a correction by the operator. */
const passing: ReadonlySet<TestCause> = new Set([
  'DNS',
  'CONNECTION_REFUSED',
  'TIMEOUT',
  'SERVER_ERROR',
  'OTHER',
] satisfies TestCause[]);

/**
 * Fetches the missing instances of a study, with retries. The pause doubles after each failure and has a random part.
 * Results are in `progress`. `onAttempt` is called before each request to the archive.
 */
export const fetchStudy = async (
  fetching: FetchingStudy & { idleTimeoutMs?: number | undefined },
  progress: Progress,
  signal: AbortSignal,
): Promise<void> => {
  const lull = abortWhenIdle(fetching, progress, fetching.idleTimeoutMs ?? Infinity);
  try {
    await fetchInTries(fetching, progress, AbortSignal.any([signal, lull.signal]));
  } finally {
    lull.stop();
  }
  // After the idle timeout there is no automatic retry, because each retry could take as long again.
  if (lull.signal.aborted && !signal.aborted) progress.broken = tooLong();
};

const tooLong = () => new RemoteError('TIMEOUT', t`The archive answered but sent no requested data for too long.`);

type FetchingStudy = Fetching & { onAttempt: () => Promise<void>; retries: Retries };

const fetchInTries = async (fetching: FetchingStudy, progress: Progress, signal: AbortSignal): Promise<void> => {
  for (let retry = 0; ; retry += 1) {
    await fetching.onAttempt();
    const before = missingBefore(progress);
    await fetchMissing(fetching, progress, signal);
    if (signal.aborted || retry === fetching.retries.most || !isWorthAnotherTry(progress, before)) return;
    await fetching.onProgress(progress);
    const pauseMs = pauseAfter(progress.broken, retry, fetching.retries);
    // An abort of the signal ends the pause early. The next line checks the signal.
    await wait(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
};

/** Longest pause that an archive may request. */
const longestPauseMs = 60_000;

export const pauseAfter = (error: RemoteError | undefined, retry: number, { firstPauseMs }: Retries): number => {
  const requestedMs = error instanceof StatusError ? Math.min(error.retryAfterMs, longestPauseMs) : 0;
  return Math.max(requestedMs, firstPauseMs * 2 ** retry * (0.5 + Math.random()));
};

const missingBefore = (progress: Progress): number =>
  progress.expected ? missingOf(progress).length : Number.POSITIVE_INFINITY;

/**
 * Some archives send only a limited number per request. An incomplete answer is retried while each answer brings more.
 */
const isWorthAnotherTry = (progress: Progress, before: number): boolean => {
  if (progress.broken) return passing.has(progress.broken.remoteCause);
  const unexplained = missingOf(progress).filter((uid) => !progress.refused.has(uid));
  return unexplained.length > 0 && missingOf(progress).length < before && progress.storedUids.size > 0;
};
