import { Problem } from '#core/problem.ts';
import { NotRenderable } from './picture.ts';

type Refusal = { error: Error; until: number; times: number };

/** Seconds that a refusal is remembered for the first time; twice as long each time after it, up to the longest. */
const firstSeconds = 30;
const longestSeconds = 600;
const mostRemembered = 10_000;

/** Whether an error may come of the image. A full queue or a stopping server says nothing about it. */
const comesOfImage = (error: unknown): error is Error =>
  error instanceof NotRenderable || (error instanceof Problem && error.error === 'rendering.timeout');

/**
 * Remembers frames that could not be decoded or took too long, so that asking for them again does not hold a decoder
 * again. What is remembered ends, since a busy machine may have been to blame. `now` in milliseconds.
 */
export const createRefusals = (now = Date.now) => {
  const refusals = new Map<string, Refusal>();

  const note = (key: string, error: Error): void => {
    const times = (refusals.get(key)?.times ?? 0) + 1;
    const seconds = Math.min(longestSeconds, firstSeconds * 2 ** (times - 1));
    refusals.delete(key);
    refusals.set(key, { error, until: now() + seconds * 1000, times });
    const [oldest] = refusals.keys();
    if (refusals.size > mostRemembered && oldest !== undefined) refusals.delete(oldest);
  };

  return {
    /** The result of `work` for the frame named by `key`, or its remembered refusal. */
    remembered: async <T>(tenantId: number, key: string, work: () => Promise<T>): Promise<T> => {
      const inTenant = `${tenantId} ${key}`;
      const earlier = refusals.get(inTenant);
      if (earlier && earlier.until > now()) throw asOf(earlier, now());
      try {
        const made = await work();
        refusals.delete(inTenant);
        return made;
      } catch (error) {
        if (comesOfImage(error)) note(inTenant, error);
        throw error;
      }
    },
  };
};

/** A time-out says when it is worth to ask again. */
const asOf = ({ error, until }: Refusal, now: number): Error =>
  error instanceof Problem
    ? new Problem(error.status, error.error, error.message, { retryAfterSeconds: Math.ceil((until - now) / 1000) })
    : error;
