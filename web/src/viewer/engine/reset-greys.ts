import { Enums, type StackViewport, utilities } from '@cornerstonejs/core';
import { propertyOf } from './grey-property.ts';
import { layOwnTable } from './table-greys.ts';

const { SAMPLED_SIGMOID } = Enums.VOILUTFunctionType;

/**
 * Shows the greys of the image that is drawn as its file wants them. The library alone makes a negative of MONOCHROME1
 * and still calls it inverted: it goes back to a curve that it kept from before it inverted that (Cornerstone3D 5.14.0,
 * StackViewport._resetProperties). So the curve is made anew here.
 */
export const resetGreys = (viewport: StackViewport) => {
  const { invert, voiLUTFunction } = viewport.getCornerstoneImage();
  viewport.resetProperties();
  viewport.setProperties({ invert }, true);
  const property = propertyOf(viewport);
  // The processor draws by the inversion alone, and knows no curves.
  if (!property) return;
  viewport.setProperties({ VOILUTFunction: voiLUTFunction }, true);
  const { voiRange, VOILUTFunction } = viewport.getProperties();
  if (!voiRange) return;
  const { createLinearRGBTransferFunction, createSigmoidRGBTransferFunction } = utilities;
  const make = VOILUTFunction === SAMPLED_SIGMOID ? createSigmoidRGBTransferFunction : createLinearRGBTransferFunction;
  const curve = make(voiRange);
  if (invert) utilities.invertRgbTransferFunction(curve);
  property.setRGBTransferFunction(0, curve);
  layOwnTable(viewport);
};
