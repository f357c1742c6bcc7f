/** Size of an image in units of its plane: mm, or pixels if it has no spacing. */
export type Extent = { width: number; height: number };

/** Returns half the height of the screen in units of the image plane, when the whole image fits. */
export const fittedScale = (image: Extent, screen: Extent): number =>
  Math.max(image.height / 2, (image.width / 2) * (screen.height / screen.width));
