import { useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';

/** Remembers whether the report is open next to the images. Once opened, it stays mounted. */
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
