import type { StackViewport, Types } from '@cornerstonejs/core';

/** Returns the object that holds the grayscale curve of a viewport. Undefined when rendering on the processor. */
export const propertyOf = (viewport: StackViewport) => {
  const actor = viewport.getDefaultActor()?.actor as Types.ImageActor | undefined;
  return actor?.getProperty?.();
};
