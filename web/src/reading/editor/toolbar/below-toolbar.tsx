import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/**
 * Element below the toolbar, for content too large for the toolbar. Null until mounted, undefined outside an editor.
 */
export const PlaceBelowTools = createContext<HTMLElement | null | undefined>(undefined);

/**
 * Shows content of a toolbar button below the whole toolbar. On a phone, the toolbar is one scrolling line without room
 * for it.
 */
export function BelowToolbar({ children }: { children: ReactNode }) {
  const place = useContext(PlaceBelowTools);
  if (place === undefined) return children;
  return place && createPortal(children, place);
}
