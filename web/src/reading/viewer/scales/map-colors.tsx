import type { StackViewport } from '@cornerstonejs/core';
import { useLayoutEffect } from 'react';
import { readPreference, setPreference, usePreference } from '#core/state/preferences.ts';
import { chooseMapColors } from '#reading/viewer/engine/gray/map-colors.ts';
import { type ColorMap, colorMapNames } from '#reading/viewer/fusion/pet/color-maps.ts';

const names = ['Grey', ...colorMapNames.filter((name) => name !== 'Grey')] as const satisfies readonly ColorMap[];

const preference = 'viewer-map-colors';

/** Returns the color map of parametric maps and doses, and a function to change it. */
export const useMapColors = () => usePreference<ColorMap>(preference, names);

/** Chooses the next color map for parametric maps and doses. */
export const nextMapColors = () => {
  const at = names.indexOf(readPreference(preference, names));
  setPreference(preference, names[(at + 1) % names.length] ?? 'Grey');
};

/** Draws the images of a viewport in the chosen color map, or in grays. */
export function MapColors({ viewport, isMap }: { viewport: StackViewport; isMap: boolean }) {
  const [colors] = useMapColors();
  const shown = isMap ? colors : 'Grey';
  useLayoutEffect(() => {
    if (!viewport.isDisabled && chooseMapColors(viewport, shown)) viewport.render();
  }, [viewport, shown]);
  return null;
}
