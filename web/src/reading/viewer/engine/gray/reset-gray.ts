import { Enums, type StackViewport, utilities } from '@cornerstonejs/core';
import { propertyOf } from './gray-property.ts';
import { keepMapColors } from './map-colors.ts';
import { applyDefaultTable } from './voi-lut-gray.ts';

const { SAMPLED_SIGMOID } = Enums.VOILUTFunctionType;

/**
 * Shows the drawn image with the window and inversion of its file, and creates a new curve. The imaging library's own
 * reset turns MONOCHROME1 into a negative, because it restores a curve from before the inversion (Cornerstone3D 5.14.0,
 * StackViewport._resetProperties).
 */
export const resetGray = (viewport: StackViewport) => {
  const { invert, voiLUTFunction } = viewport.getCornerstoneImage();
  viewport.resetProperties();
  viewport.setProperties({ invert }, true);
  const property = propertyOf(viewport);
  // Rendering on the processor uses only the inversion flag, not a curve.
  if (!property) return;
  viewport.setProperties({ VOILUTFunction: voiLUTFunction }, true);
  const { voiRange, VOILUTFunction } = viewport.getProperties();
  if (!voiRange) return;
  const { createLinearRGBTransferFunction, createSigmoidRGBTransferFunction } = utilities;
  const make = VOILUTFunction === SAMPLED_SIGMOID ? createSigmoidRGBTransferFunction : createLinearRGBTransferFunction;
  const curve = make(voiRange);
  if (invert) utilities.invertRgbTransferFunction(curve);
  property.setRGBTransferFunction(0, curve);
  applyDefaultTable(viewport);
  keepMapColors(viewport);
};
