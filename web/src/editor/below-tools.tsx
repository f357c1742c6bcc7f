import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** Where tools show what has no room in their row of buttons; null until it is there, undefined outside of an editor. */
export const PlaceBelowTools = createContext<HTMLElement | null | undefined>(undefined);

/** What belongs to a button of the editor and stands below all of them. On a phone the buttons are one line that scrolls. */
export function BelowTools({ children }: { children: ReactNode }) {
  const place = useContext(PlaceBelowTools);
  if (place === undefined) return children;
  return place && createPortal(children, place);
}
