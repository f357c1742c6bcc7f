import { randomUUID } from 'node:crypto';

/** The latest millisecond that an id was made for, and how many of that one were made before. */
let latest = 0;
let count = 0;
const mostInOne = 0xfff;
/** Milliseconds that ids may be ahead of the clock; beyond that it was put back, and ids go with it. */
const mostAhead = 1000;

/**
 * A new id: UUID version 7 (RFC 9562 §5.7), so that rows made later sort later and indexes grow at their end. Those of one
 * server do so within a millisecond, too: the bits after the version count (§6.2, method 1).
 */
export const newId = (): string => {
  const now = Date.now();
  if (now > latest || latest - now > mostAhead) [latest, count] = [now, 0];
  else if (count < mostInOne) count += 1;
  else [latest, count] = [latest + 1, 0];
  const time = latest.toString(16).padStart(12, '0');
  // What follows the variant is random in version 4 as well, and Node keeps a supply of those.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
};

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
