import { cache, Enums, eventTarget } from '@cornerstonejs/core';
import { useSyncExternalStore } from 'react';

/** Number of changes of the image cache. A change triggers a render. */
let version = 0;
let isAnnounced = true;
const listeners = new Set<() => void>();

/** Combines all changes until the next screen refresh into one, because hundreds of frames may arrive per second. */
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

/** Returns for each image of a series whether it is loaded, in order. The component renders when images arrive. */
export const useLoadedImages = (images: readonly { imageId: string }[]): boolean[] => {
  useSyncExternalStore(onChange, () => version);
  return images.map(({ imageId }) => cache.isLoaded(imageId));
};
