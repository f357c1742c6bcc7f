import { useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';

/** Remembers whether the report next to the images is open. Once opened, the report stays mounted. */
export const useReportPane = (isThere: boolean) => {
  const [kept, setKept] = usePreference('viewer-report', ['closed', 'open']);
  const isOpen = isThere && kept === 'open';
  const [isWanted, setIsWanted] = useState(isOpen);
  const show = (open: boolean) => {
    if (open) setIsWanted(true);
    setKept(open ? 'open' : 'closed');
  };
  return { isOpen, isWanted, show, toggle: () => show(!isOpen) };
};
