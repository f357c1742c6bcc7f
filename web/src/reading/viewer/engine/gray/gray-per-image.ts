import { Enums, type StackViewport } from '@cornerstonejs/core';
import { propertyOf } from './gray-property.ts';

/**
 * Shows each image of a stack with the inversion of its own file, or inverted if the user inverted the previous image.
 * The imaging library (5.14.0) would keep the inversion of the previous image. In a series that mixes MONOCHROME1 and
 * MONOCHROME2 (PS3.3 §C.7.6.3.1.2), some images would then appear as negatives.
 */
export const applyGrayPerImage = (viewport: StackViewport) => {
  let before = viewport.getCornerstoneImage()?.invert;
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, () => {
    const { invert } = viewport.getCornerstoneImage();
    const [was, isOtherwise] = [before, before !== undefined && before !== invert];
    before = invert;
    // Rendering on the processor uses no curve, so nothing needs a correction.
    if (!isOtherwise || !propertyOf(viewport)) return;
    viewport.setProperties({ invert: (viewport.getProperties().invert === was) === invert });
    viewport.render();
  });
};
