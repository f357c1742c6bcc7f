import { useSyncExternalStore } from 'react';
import { imagesWindowName } from './window-messages.ts';

const listeners = new Set<() => void>();
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether this is the second window for images, which follows the window with the report. */
export const isImagesWindow = (): boolean => window.name === imagesWindowName;

/** Stops following. The window for images then shows the study that the user opens in it. */
export const stopFollowing = (): void => {
  window.name = '';
  for (const listener of listeners) listener();
};

/** Returns `isImagesWindow`, and renders again when the following stops. */
export const useIsFollowing = (): boolean => useSyncExternalStore(onChange, isImagesWindow);
