import { useEffect, useState } from 'react';
import { ApiError } from '#core/http/api.ts';

/** Returns whether a retry may succeed: the server was silent or busy, but did not refuse. */
export const isRetryable = (error: unknown): boolean => {
  if (error instanceof ApiError) return error.status === 0 || [408, 429].includes(error.status) || error.status >= 500;
  // Errors of the browser when the connection breaks during a response.
  return error instanceof TypeError || error instanceof DOMException;
};

/** Pause before a retry, in milliseconds. */
const pause = 10_000;

/**
 * Returns a number that increases after a pause while `isWorthIt` is true. To retry again after another failure, pass a
 * new `what`.
 */
export const useRetryCount = (what: unknown, isWorthIt: boolean): number => {
  const [again, setAgain] = useState(0);
  useEffect(() => {
    if (!isWorthIt) return undefined;
    const timer = setTimeout(() => setAgain((before) => before + 1), pause);
    return () => clearTimeout(timer);
  }, [what, isWorthIt]);
  return again;
};
