import { setTimeout } from 'node:timers/promises';

const firstPause = 100;
const mostAttempts = 6;
/** Milliseconds after which no new attempt begins, because a user may be waiting. */
const triedFor = 15_000;

/** Repeats work after temporary errors, with doubling pauses (about three seconds in total). Throws the last error. */
export const withRetries = async <T>(work: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> => {
  const start = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isOver = attempt === mostAttempts || performance.now() - start > triedFor;
      if (isOver || !mayPass(error)) throw error;
    }
    // Half of the pause is random, so that callers who failed together do not retry together.
    const pause = firstPause * 2 ** (attempt - 1);
    await setTimeout(pause / 2 + (Math.random() * pause) / 2);
  }
};
