import { Enums, type StackViewport } from '@cornerstonejs/core';
import { propertyOf } from './gray-property.ts';

/**
 * Shows each image of a stack in the grays of its file, or as a negative if the user inverted the image before. The
 * library (5.14.0) would keep the inversion flag of the image before. In a series of MONOCHROME1 and MONOCHROME2 (PS3.3
 * §C.7.6.3.1.2) some images would turn into negatives.
 */
export const applyGrayPerImage = (viewport: StackViewport) => {
  let before = viewport.getCornerstoneImage()?.invert;
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, () => {
    const { invert } = viewport.getCornerstoneImage();
    const [was, isOtherwise] = [before, before !== undefined && before !== invert];
    before = invert;
    // The processor draws without a curve.
    if (!isOtherwise || !propertyOf(viewport)) return;
    viewport.setProperties({ invert: (viewport.getProperties().invert === was) === invert });
    viewport.render();
  });
};
