import { useState } from 'react';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { hasHideableLayers } from '#reading/viewer/images/header/file-layers.ts';

/** Whether overlay planes and shutters of files are hidden, and whether any image of the panes has them. */
export type FileLayerDisplay = { hasAny: boolean; areHidden: boolean; toggle: () => void };

/** Not saved as a preference, because a hidden overlay plane may mark the side of a later image. */
export const useFileLayerDisplay = (views: readonly (View | undefined)[]): FileLayerDisplay => {
  const [areHidden, setHidden] = useState(false);
  return {
    hasAny: views.some((view) => view?.images.some(({ header }) => hasHideableLayers(header))),
    areHidden,
    toggle: () => setHidden((before) => !before),
  };
};
