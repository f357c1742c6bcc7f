import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';

/** Whether images and report have room beside each other. On narrower screens, one covers the other. */
const hasRoomBeside = (): boolean => window.matchMedia('(min-width: 901px)').matches;

/**
 * Remembers whether the report next to the images is open. Once opened, the report stays mounted. In reading mode, it
 * opens with the study wherever there is room beside the images.
 */
export const useReportPane = (isThere: boolean) => {
  const isReading = useSearch({ strict: false, select: ({ queue }) => queue !== undefined });
  const [kept, setKept] = usePreference('viewer-report', ['closed', 'open']);
  const [shownHere, setShownHere] = useState(isReading && hasRoomBeside());
  const isOpen = isThere && (isReading ? shownHere : kept === 'open');
  const [isWanted, setIsWanted] = useState(isOpen);
  const show = (open: boolean) => {
    if (open) setIsWanted(true);
    setShownHere(open);
    if (!isReading) setKept(open ? 'open' : 'closed');
  };
  return { isOpen, isWanted, show, toggle: () => show(!isOpen) };
};
