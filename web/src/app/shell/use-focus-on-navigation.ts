import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the new screen when the path changes, as a page load would. Changed filters in the address do not
 * count. Returns the reference for the element of the screen.
 * @param screenIn Returns the part of a path that names the screen. Default: the whole path.
 */
export const useFocusOnNavigation = (
  screenIn: (pathname: string) => string = (pathname) => pathname,
): RefObject<HTMLElement | null> => {
  const pathname = useLocation({ select: (location) => screenIn(location.pathname) });
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
};
