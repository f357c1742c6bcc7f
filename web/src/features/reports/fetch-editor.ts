/** Fetches the editing engine, once. */
export const fetchEditor = () => import('#editor/report-editor.tsx');

/** How long a page that is never at rest may hold that up, in milliseconds. */
const atLast = 2000;

/** Fetches what somebody writes with when the page has nothing else to do, so that it opens at once. Returns how not to. */
export const fetchEditorWhenIdle = (fetchTools: (() => Promise<unknown>) | undefined): (() => void) => {
  const fetchAll = () => {
    void fetchEditor();
    void fetchTools?.();
  };
  // Safari has no such call.
  if (typeof requestIdleCallback === 'undefined') {
    const waiting = setTimeout(fetchAll, atLast);
    return () => clearTimeout(waiting);
  }
  const waiting = requestIdleCallback(fetchAll, { timeout: atLast });
  return () => cancelIdleCallback(waiting);
};
