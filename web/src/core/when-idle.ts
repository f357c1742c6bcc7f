/** How long a page that is never at rest may hold it up, in milliseconds. */
const atLast = 2000;

/** Does something when the page has nothing else to do. Returns how not to. */
export const whenIdle = (act: () => void): (() => void) => {
  // Safari does not say when it is idle.
  if (typeof requestIdleCallback === 'undefined') {
    const waiting = setTimeout(act, atLast);
    return () => clearTimeout(waiting);
  }
  const waiting = requestIdleCallback(act, { timeout: atLast });
  return () => cancelIdleCallback(waiting);
};
