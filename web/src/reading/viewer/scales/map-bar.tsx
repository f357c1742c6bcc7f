import type { StackViewport } from '@cornerstonejs/core';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';
import { colorAt } from '#reading/viewer/fusion/pet/color-maps.ts';
import { mapColorsOf } from '#reading/viewer/engine/gray/map-colors.ts';
import { tableShown } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { fileLayersOf } from '#reading/viewer/images/header/file-layers.ts';
import { mapScaleOf } from './map-scale.ts';
import { ScaleBar } from './scale-bar.tsx';

/** Scaling of the drawn values. The types of the imaging library leave out the dose. */
type Scaling = { rescaleSlope?: number; rescaleIntercept?: number; doseGridScaling?: number };

/** Values of a map at the black and at the white end of its window. Undefined if the grays are not linear. */
const endsOf = (viewport: StackViewport, { image: { header, frame } }: ShownImage) => {
  const scale = mapScaleOf(header, frame);
  const { voiRange, VOILUTFunction = 'LINEAR', invert = false } = viewport.getProperties();
  const drawn = viewport.getCornerstoneImage();
  const isLinear = VOILUTFunction.startsWith('LINEAR') && tableShown(viewport) === undefined;
  if (!scale || !voiRange || !isLinear || !drawn || drawn.color || fileLayersOf(header).isSupplemented)
    return undefined;
  const scaling: Scaling = (drawn.preScale?.scaled && drawn.preScale.scalingParameters) || {};
  const { rescaleSlope = 1, rescaleIntercept = 0, doseGridScaling } = scaling;
  const toStored = (value: number) =>
    doseGridScaling === undefined ? (value - rescaleIntercept) / rescaleSlope : value / doseGridScaling;
  const valueOf = (value: number) => toStored(value) * scale.slope + scale.intercept;
  return {
    black: valueOf(invert ? voiRange.upper : voiRange.lower),
    white: valueOf(invert ? voiRange.lower : voiRange.upper),
    scale,
  };
};

/** Draws the scale of a parametric map or a dose beside its image, at the current window. */
export function MapBar({ viewport, shown }: { viewport: StackViewport; shown: ShownImage }) {
  const ends = endsOf(viewport, shown);
  if (!ends || !Number.isFinite(ends.black + ends.white) || ends.black === ends.white) return null;
  const { black, white, scale } = ends;
  const isDark = black < white;
  const colors = mapColorsOf(viewport);
  return (
    <ScaleBar
      lower={Math.min(black, white)}
      upper={Math.max(black, white)}
      colorAt={(share) => colorAt(colors, isDark ? share : 1 - share)}
      unit={scale.unit}
      name={scale.name}
    />
  );
}
