import type { StackViewport, Types } from '@cornerstonejs/core';

/** The part of a picture's insides that its greys go through; there is none where the processor draws. */
export const propertyOf = (viewport: StackViewport) => {
  const actor = viewport.getDefaultActor()?.actor as Types.ImageActor | undefined;
  return actor?.getProperty?.();
};
