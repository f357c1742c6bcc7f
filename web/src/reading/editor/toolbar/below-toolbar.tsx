import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** Element below the toolbar, for content too large for it. Null until mounted, undefined outside an editor. */
export const PlaceBelowTools = createContext<HTMLElement | null | undefined>(undefined);

/** Shows content of a toolbar button below all buttons. On a phone the toolbar is one scrolling line. */
export function BelowToolbar({ children }: { children: ReactNode }) {
  const place = useContext(PlaceBelowTools);
  if (place === undefined) return children;
  return place && createPortal(children, place);
}
