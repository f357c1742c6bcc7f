import { randomUUID } from 'node:crypto';

/** The latest millisecond used for an id, and the number of ids within it. */
let latest = 0;
let count = 0;
const mostInOne = 0xfff;
/**
 * Milliseconds that ids may be ahead of the clock. If they are further ahead, the clock was set back, and new ids use
 * the clock again.
 */
const mostAhead = 1000;

/**
 * Returns a new UUID of version 7 (RFC 9562 §5.7). Newer ids sort later, so indexes grow at their end. Within a
 * millisecond, the bits after the version count up (§6.2, method 1).
 */
export const newId = (): string => {
  const now = Date.now();
  if (now > latest || latest - now > mostAhead) [latest, count] = [now, 0];
  else if (count < mostInOne) count += 1;
  else [latest, count] = [latest + 1, 0];
  const time = latest.toString(16).padStart(12, '0');
  // The bits after the variant are random, as in version 4. They come from a UUID of version 4, because Node prepares
  // such UUIDs in advance.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
};

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
