import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Tells whether a page is still the one that the address names, or leads to. What waited on it, as a search does for the
 * next key, must not bring back whoever has opened something else meanwhile.
 */
export const useIsStillAt = (pathname: string): (() => boolean) => {
  const router = useRouter();
  return useCallback(() => router.latestLocation.pathname === pathname, [router, pathname]);
};
