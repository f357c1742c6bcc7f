import type { Placement } from '#reading/viewer/engine/stack/given-placement.ts';

/** A mammogram in its pane. Sizes of the pane are in screen pixels. */
export type PlacedBreast = {
  pane: { width: number; height: number };
  /** Size of the image: in mm, or in image pixels if its pixel spacing is unknown. */
  image: { width: number; height: number };
  isInMillimeters: boolean;
  chestWall: 'left' | 'right' | undefined;
};

/** Returns the mm (or image pixels) for each screen pixel when the whole image fits. */
const fittedScale = ({ pane, image }: PlacedBreast): number =>
  Math.max(image.width / pane.width, image.height / pane.height);

/**
 * Places mammograms as they hang: all at the same scale, as large as the largest fits its pane, with the chest wall at
 * the edge of the pane. Right and left breast then touch. Images without pixel spacing keep their own scale.
 */
export const placeBreasts = (breasts: readonly PlacedBreast[]): Placement[] => {
  const common = Math.max(...breasts.filter((breast) => breast.isInMillimeters).map(fittedScale));
  return breasts.map((breast) => {
    const fitted = fittedScale(breast);
    const scale = breast.isInMillimeters ? common : fitted;
    const free = Math.max(0, breast.pane.width - breast.image.width / scale) / 2;
    const x = breast.chestWall === undefined ? 0 : breast.chestWall === 'right' ? free : -free;
    return { zoom: fitted / scale, pan: [x, 0] };
  });
};
