import { useEffect, useState } from 'react';
import { ApiError } from '#core/api.ts';

/** Whether it may go better another time: a server that did not answer or is busy, not one that refuses. */
export const mayChange = (error: unknown): boolean => {
  if (error instanceof ApiError) return error.status === 0 || [408, 429].includes(error.status) || error.status >= 500;
  // A connection that broke within an answer: a browser's own words for it.
  return error instanceof TypeError || error instanceof DOMException;
};

/** In milliseconds. */
const pause = 10_000;

/** Counts up a while after something has failed, each time that it has: give what failed another identity then. */
export const useAgain = (what: unknown, isWorthIt: boolean): number => {
  const [again, setAgain] = useState(0);
  useEffect(() => {
    if (!isWorthIt) return undefined;
    const timer = setTimeout(() => setAgain((before) => before + 1), pause);
    return () => clearTimeout(timer);
  }, [what, isWorthIt]);
  return again;
};
