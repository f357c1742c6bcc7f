import { useBlocker } from '@tanstack/react-router';
import { readSession } from '#core/session.ts';
import { confirm } from './confirm.tsx';

/** The question before leaving, what is lost by it, and what the button does. */
type Warning = { question: string; consequence: string; verb: string };

/**
 * Asks before somebody goes elsewhere, reloads or closes the tab while something is under way or unsaved. Who is on the
 * way to sign in again is not asked: every screen that warns gives back what it had.
 */
export const useLeaveWarning = (isNeeded: boolean, warning: Warning) => {
  useBlocker({
    shouldBlockFn: async () => readSession() !== undefined && !(await confirm(warning)),
    enableBeforeUnload: isNeeded,
    disabled: !isNeeded,
  });
};
