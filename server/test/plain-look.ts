import type { ImageLook } from '@radwork/contract/reading/key-images';

/** The look of an image as it opens: whole, upright, with its own window. */
export const plainLook: ImageLook = {
  window: null,
  isInverted: false,
  rotation: 0,
  isMirroredAcross: false,
  isMirroredDown: false,
  zoom: 1,
  pan: [0, 0],
};
