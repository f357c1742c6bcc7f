import { useState } from 'react';
import { usePreference } from '#core/preferences.ts';

/** Whether the report stands beside the pictures, as it was left the last time. Once it was open it is only hidden. */
export const useReportBeside = (isThere: boolean) => {
  const [kept, setKept] = usePreference('viewer-report', ['closed', 'open']);
  const isOpen = isThere && kept === 'open';
  const [isWanted, setIsWanted] = useState(isOpen);
  const show = (open: boolean) => {
    if (open) setIsWanted(true);
    setKept(open ? 'open' : 'closed');
  };
  return { isOpen, isWanted, show, toggle: () => show(!isOpen) };
};
