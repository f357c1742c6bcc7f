import { useBlocker } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { readSession } from '#core/state/session.ts';
import { confirm } from './confirm.tsx';
import { DialogContext, type Warning } from './dialog-context.ts';

/**
 * Asks before navigation, reload, or closing of the tab or dialog, while work is unsaved or in progress. Does not ask
 * when the session has ended and the user must sign in again, because these screens restore their text.
 */
export const useLeaveWarning = (isNeeded: boolean, warning: Warning) => {
  const dialog = useContext(DialogContext);
  useEffect(() => (isNeeded ? dialog?.warn(warning) : undefined), [isNeeded, dialog, warning]);
  useBlocker({
    // Does not ask again if the dialog has asked already. The dialog may navigate when it closes.
    shouldBlockFn: async () => readSession() !== undefined && !dialog?.isLeft() && !(await confirm(warning)),
    enableBeforeUnload: isNeeded,
    disabled: !isNeeded,
  });
};
