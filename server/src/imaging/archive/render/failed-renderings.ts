import { Problem } from '#core/http/problem.ts';
import { NotRenderable } from '#imaging/archive/pixels/pixel-format.ts';

type Refusal = { error: Error; until: number; times: number };

/** Seconds for which the first refusal lasts. Each further refusal lasts twice as long, up to the longest. */
const firstSeconds = 30;
const longestSeconds = 600;
const mostRemembered = 10_000;

/** Returns whether the image may have caused an error. A full queue or a stopping server is not the image's fault. */
const comesOfImage = (error: unknown): error is Error =>
  error instanceof NotRenderable || (error instanceof Problem && error.error === 'rendering.timeout');

/**
 * Remembers frames that could not be decoded or took too long, so that repeated requests do not block a decoder again.
 * Entries expire, because a busy machine may have caused the failure. `now` returns milliseconds.
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
    /** Returns the result of `work` for the frame `key`. Throws the error of a remembered frame. */
    remembered: async <T>(tenantId: number, key: string, work: () => Promise<T>): Promise<T> => {
      const inTenant = `${tenantId} ${key}`;
      const earlier = refusals.get(inTenant);
      if (earlier && earlier.until > now()) throw asOf(earlier, now());
      try {
        const rendered = await work();
        refusals.delete(inTenant);
        return rendered;
      } catch (error) {
        if (comesOfImage(error)) note(inTenant, error);
        throw error;
      }
    },
  };
};

/** Adds the remaining seconds to the error of a time-out. */
const asOf = ({ error, until }: Refusal, now: number): Error =>
  error instanceof Problem
    ? new Problem(error.status, error.error, error.message, { retryAfterSeconds: Math.ceil((until - now) / 1000) })
    : error;
