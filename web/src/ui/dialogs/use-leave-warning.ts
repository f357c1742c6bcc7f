import { useBlocker } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { readSession } from '#core/state/session.ts';
import { confirm } from './confirm.tsx';
import { DialogContext, type Warning } from './dialog-context.ts';

/** Warnings about unsaved work on this page, the latest last. */
let warnings: readonly Warning[] = [];

/** Asks the user whether to leave unsaved work. True if the user agrees, or if nothing is unsaved. */
export const mayLeave = async (): Promise<boolean> => {
  for (const warning of warnings) if (!(await confirm(warning))) return false;
  return true;
};

/**
 * Asks before navigation, reload, or closing of the tab or dialog, while work is unsaved or in progress. Does not ask
 * when the session has ended and the user must sign in again, because these screens restore their text.
 */
export const useLeaveWarning = (isNeeded: boolean, warning: Warning) => {
  const dialog = useContext(DialogContext);
  useEffect(() => (isNeeded ? dialog?.warn(warning) : undefined), [isNeeded, dialog, warning]);
  useEffect(() => {
    if (!isNeeded) return undefined;
    warnings = [...warnings, warning];
    return () => {
      warnings = warnings.filter((other) => other !== warning);
    };
  }, [isNeeded, warning]);
  useBlocker({
    // Does not ask again if the dialog has asked already. The dialog may navigate when it closes.
    shouldBlockFn: async () => readSession() !== undefined && !dialog?.isLeft() && !(await confirm(warning)),
    enableBeforeUnload: isNeeded,
    disabled: !isNeeded,
  });
};
