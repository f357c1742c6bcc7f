import { useState } from 'react';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { hasHideableLayers } from '#reading/viewer/images/header/file-layers.ts';
import { isMap } from '#reading/viewer/scales/map-scale.ts';

/** Whether overlay planes, shutters and scales of files are hidden, and whether any image of the panes has them. */
export type FileLayerDisplay = {
  hasAny: boolean;
  /** Whether any image of the panes has a scale, which the shortcut hides, too. */
  hasScale: boolean;
  areHidden: boolean;
  toggle: () => void;
};

/** Not saved as a preference, because a hidden overlay plane may mark the side of a later image. */
export const useFileLayerDisplay = (views: readonly (View | undefined)[]): FileLayerDisplay => {
  const [areHidden, setHidden] = useState(false);
  return {
    hasAny: views.some((view) => view?.images.some(({ header }) => hasHideableLayers(header))),
    hasScale: views.some((view) => view?.images.some(({ header }) => isMap(header))),
    areHidden,
    toggle: () => setHidden((before) => !before),
  };
};
