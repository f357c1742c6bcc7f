import type { StackViewport, Types } from '@cornerstonejs/core';

/** Returns the property that holds the grayscale curve of a viewport. Undefined if the processor draws. */
export const propertyOf = (viewport: StackViewport) => {
  const actor = viewport.getDefaultActor()?.actor as Types.ImageActor | undefined;
  return actor?.getProperty?.();
};
