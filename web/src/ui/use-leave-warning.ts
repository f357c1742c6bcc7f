import { useBlocker } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { readSession } from '#core/session.ts';
import { confirm } from './confirm.tsx';
import { DialogContext, type Warning } from './dialog-context.ts';

/**
 * Asks before somebody goes elsewhere, reloads, closes the tab, or closes the dialog that this is in while something is
 * under way or unsaved. Who is on the way to sign in again is not asked: every screen that warns gives back what it had.
 */
export const useLeaveWarning = (isNeeded: boolean, warning: Warning) => {
  const dialog = useContext(DialogContext);
  useEffect(() => (isNeeded ? dialog?.warn(warning) : undefined), [isNeeded, dialog, warning]);
  useBlocker({
    // The dialog may have asked already, and lead to another address as it closes.
    shouldBlockFn: async () => readSession() !== undefined && !dialog?.isLeft() && !(await confirm(warning)),
    enableBeforeUnload: isNeeded,
    disabled: !isNeeded,
  });
};
