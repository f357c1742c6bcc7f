import { setTimeout } from 'node:timers/promises';

const firstPause = 100;
const mostAttempts = 6;
/** After this many milliseconds no further attempt is made: somebody is waiting. */
const triedFor = 15_000;

/**
 * Does work again when it failed for a reason that may pass, after pauses that double (about three seconds in all).
 * Throws the last error.
 */
export const withRetries = async <T>(work: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> => {
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isOver = attempt === mostAttempts || performance.now() - begun > triedFor;
      if (isOver || !mayPass(error)) throw error;
    }
    // Half of the pause is left to chance, so that those who failed together do not come back together.
    const pause = firstPause * 2 ** (attempt - 1);
    await setTimeout(pause / 2 + (Math.random() * pause) / 2);
  }
};
