/** Longest wait for an idle page, in milliseconds. */
const atLast = 2000;

/** Calls `act` when the page is idle. Returns a function to cancel it. */
export const whenIdle = (act: () => void): (() => void) => {
  // Safari has no `requestIdleCallback`.
  if (typeof requestIdleCallback === 'undefined') {
    const waiting = setTimeout(act, atLast);
    return () => clearTimeout(waiting);
  }
  const waiting = requestIdleCallback(act, { timeout: atLast });
  return () => cancelIdleCallback(waiting);
};
