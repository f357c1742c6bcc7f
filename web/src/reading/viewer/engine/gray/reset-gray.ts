import { Enums, type StackViewport, utilities } from '@cornerstonejs/core';
import { propertyOf } from './gray-property.ts';
import { applyDefaultTable } from './voi-lut-gray.ts';

const { SAMPLED_SIGMOID } = Enums.VOILUTFunctionType;

/**
 * Shows the drawn image in the grays of its file. The library's own reset makes a negative of MONOCHROME1: it restores
 * a curve from before its inversion (Cornerstone3D 5.14.0, StackViewport._resetProperties). This function makes a new
 * curve.
 */
export const resetGray = (viewport: StackViewport) => {
  const { invert, voiLUTFunction } = viewport.getCornerstoneImage();
  viewport.resetProperties();
  viewport.setProperties({ invert }, true);
  const property = propertyOf(viewport);
  // The processor uses only the inversion flag, no curves.
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
};
