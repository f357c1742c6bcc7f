import { Enums, type StackViewport } from '@cornerstonejs/core';
import { propertyOf } from './grey-property.ts';

/**
 * Has each picture of a stack show its greys as its file wants them, or as their negative where somebody has inverted the
 * one before. The library (5.14.0) keeps what it did to the one before: radiographs of both kinds (MONOCHROME1 and 2,
 * PS3.3 §C.7.6.3.1.2) in one series would be negatives of each other.
 */
export const greysOfEach = (viewport: StackViewport) => {
  let before = viewport.getCornerstoneImage()?.invert;
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, () => {
    const { invert } = viewport.getCornerstoneImage();
    const [was, isOtherwise] = [before, before !== undefined && before !== invert];
    before = invert;
    // Where the processor draws there is no curve to turn over.
    if (!isOtherwise || !propertyOf(viewport)) return;
    viewport.setProperties({ invert: (viewport.getProperties().invert === was) === invert });
    viewport.render();
  });
};
