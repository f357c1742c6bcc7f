import { framesOf } from './fetch-masks.ts';
import { maskOf } from './mask.ts';
import { imagesOf } from './placement.ts';
import type { Region, SegmentSet } from './segment-set.ts';
import type { Placement } from './image-stack.ts';

/** Maximum number of images searched for pixels of a segment. Searching more would take too long. */
const mostLookedAt = 400;

const middleOf = (images: readonly number[]): number => images[Math.floor(images.length / 2)] ?? -1;

/**
 * Returns the number (from 0) of the middle one of the images that show a region, or -1 if there is none. If pixels can
 * be loaded, counts only images with pixels of the region.
 */
export const middleRegionImage = async (set: SegmentSet, region: Region, placement: Placement): Promise<number> => {
  const images = imagesOf(placement, region.number);
  const { masks } = set;
  if (!masks || images.length > mostLookedAt) return middleOf(images);
  const framesOn = (image: number) =>
    (placement.parts.get(image) ?? []).flatMap((part) =>
      'mask' in part && part.region === region.number ? [part.mask.number] : [],
    );
  try {
    const bytes = await framesOf(set, [...new Set(images.flatMap(framesOn))], AbortSignal.timeout(30_000));
    const hasPixels = (frame: number) => {
      const ofFrame = bytes.get(frame);
      return ofFrame !== undefined && maskOf(ofFrame, masks, region.number) !== undefined;
    };
    return middleOf(images.filter((image) => framesOn(image).some(hasPixels)));
  } catch {
    // Without pixels, uses the middle of all images with frames of the region. The segment layer shows why the pixels
    // are missing.
    return middleOf(images);
  }
};
