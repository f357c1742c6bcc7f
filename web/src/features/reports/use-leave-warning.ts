import { useBlocker } from '@tanstack/react-router';
import { readSession } from '#core/session.ts';
import { confirm } from '#ui/confirm.tsx';

const stay = async () => {
  // Somebody whose session has ended is on the way to sign in and back; the text waits in the browser.
  if (!readSession()) return false;
  const leaves = await confirm({
    question: 'Leave with unsaved text?',
    consequence: 'Your text is kept in this browser and comes back when you open this report here again.',
    verb: 'Leave without saving',
  });
  return !leaves;
};

/** Asks before somebody goes elsewhere, reloads or closes the tab with a text that the server does not have. */
export const useLeaveWarning = (isUnsaved: boolean) => {
  useBlocker({ shouldBlockFn: stay, enableBeforeUnload: isUnsaved, disabled: !isUnsaved });
};
