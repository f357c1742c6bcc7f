import { cache, Enums, eventTarget } from '@cornerstonejs/core';
import { useSyncExternalStore } from 'react';

/** Counts every change of what is in the image cache, so that what is drawn from it can be drawn again. */
let version = 0;
let isAnnounced = true;
const listeners = new Set<() => void>();

/** Hundreds of frames may arrive in a second: those that come before the screen is drawn again are told of once. */
const note = () => {
  if (!isAnnounced) return;
  isAnnounced = false;
  requestAnimationFrame(() => {
    isAnnounced = true;
    version += 1;
    for (const listener of listeners) listener();
  });
};

const { IMAGE_LOADED, IMAGE_CACHE_IMAGE_REMOVED } = Enums.Events;

const onChange = (listener: () => void) => {
  if (listeners.size === 0) {
    eventTarget.addEventListener(IMAGE_LOADED, note);
    eventTarget.addEventListener(IMAGE_CACHE_IMAGE_REMOVED, note);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    eventTarget.removeEventListener(IMAGE_LOADED, note);
    eventTarget.removeEventListener(IMAGE_CACHE_IMAGE_REMOVED, note);
  };
};

/** Which images of a series are here, in its order. The component is drawn again as they arrive. */
export const useLoaded = (images: readonly { imageId: string }[]): boolean[] => {
  useSyncExternalStore(onChange, () => version);
  return images.map(({ imageId }) => cache.isLoaded(imageId));
};
