import { framesOf } from './fetch-masks.ts';
import { maskOf } from './mask.ts';
import { imagesOf } from './placement.ts';
import type { Region, SegmentSet } from './segment-set.ts';
import type { Placement } from './stack.ts';

/** Looking through more images than this for those on which a segment has pixels would take too long. */
const mostLookedAt = 400;

const middleOf = (images: readonly number[]): number => images[Math.floor(images.length / 2)] ?? -1;

/**
 * The image in the middle of those on which a region appears, from 0; -1 when there is none. Frames without a pixel of
 * it do not count, as far as their pixels can be had.
 */
export const middleImage = async (set: SegmentSet, region: Region, placement: Placement): Promise<number> => {
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
    // The layer says why the pixels do not come; the middle of where they should be is as near as one gets.
    return middleOf(images);
  }
};
