/** How large an image is in the units of its plane: mm, or pixels where it does not say. */
export type Extent = { width: number; height: number };

/** The units of its plane that an image shows from its middle upwards when it is as large as it fits on a screen. */
export const fittedScale = (image: Extent, screen: Extent): number =>
  Math.max(image.height / 2, (image.width / 2) * (screen.height / screen.width));
