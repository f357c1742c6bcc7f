import { Enums, type StackViewport, utilities } from '@cornerstonejs/core';
import { type ColorMap, stopsOf } from '#reading/viewer/fusion/pet/color-maps.ts';
import { curveFunction } from './curve-function.ts';
import { propertyOf } from './gray-property.ts';
import { tableShown } from './voi-lut-gray.ts';

/** Color map without colors, in which all images are drawn at first. */
const gray: ColorMap = 'Grey';

const chosen = new WeakMap<StackViewport, ColorMap>();

/** Whether grays follow the window alone, so that colors can take their place. Rendering on the processor has none. */
const isLinear = (viewport: StackViewport): boolean => {
  const { VOILUTFunction = 'LINEAR' } = viewport.getProperties();
  const drawn = viewport.getCornerstoneImage();
  const isPlain = VOILUTFunction.startsWith('LINEAR') && tableShown(viewport) === undefined;
  return isPlain && drawn !== undefined && !drawn.color && propertyOf(viewport) !== undefined;
};

/** Returns the color map in which a viewport draws its values. */
export const mapColorsOf = (viewport: StackViewport): ColorMap =>
  isLinear(viewport) ? (chosen.get(viewport) ?? gray) : gray;

/**
 * Draws the values of the window in colors. The lowest color stands for black, so an inverted image has the colors in
 * reverse order.
 */
const lay = (viewport: StackViewport) => {
  const colors = mapColorsOf(viewport);
  const { voiRange, invert = false } = viewport.getProperties();
  if (colors === gray || !voiRange) return;
  const { lower, upper } = voiRange;
  const points = stopsOf(colors).map(([share, red, green, blue]) => ({
    value: lower + (upper - lower) * (invert ? 1 - share : share),
    red,
    green,
    blue,
  }));
  propertyOf(viewport)?.setRGBTransferFunction(0, curveFunction(points));
};

const layAside = (viewport: StackViewport) => {
  const { voiRange, invert } = viewport.getProperties();
  if (!voiRange || !isLinear(viewport)) return;
  const line = utilities.createLinearRGBTransferFunction(voiRange);
  if (invert) utilities.invertRgbTransferFunction(line);
  propertyOf(viewport)?.setRGBTransferFunction(0, line);
};

/** Lays the colors again after each change of the window and on each image. The imaging library would invert them. */
const keep = (viewport: StackViewport) => {
  const setProperties = viewport.setProperties.bind(viewport);
  viewport.setProperties = (properties, suppressEvents) => {
    setProperties(properties, suppressEvents);
    lay(viewport);
  };
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, () => lay(viewport));
};

/**
 * Draws the images of a viewport in a color map. They must be maps, whose values are quantities. Returns whether the
 * viewport must be rendered again.
 */
export const chooseMapColors = (viewport: StackViewport, colors: ColorMap): boolean => {
  const before = chosen.get(viewport);
  if ((before ?? gray) === colors) return false;
  if (before === undefined) keep(viewport);
  chosen.set(viewport, colors);
  if (colors === gray) layAside(viewport);
  else lay(viewport);
  return true;
};

/** Lays the colors again after the gray curve was replaced. */
export const keepMapColors = lay;
