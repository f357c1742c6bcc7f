import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { distanceFrom, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import { directionOf, inNearestPlane } from './contour-planes.ts';
import {
  createCollector,
  elsewhere,
  notReached,
  otherFrameOfReference,
  placeUnknown,
  type Placement,
  referredTo,
  type Stack,
} from './image-stack.ts';
import { type Contour, countOf, type Outlines, pointOf } from './segment-set.ts';

/** Largest distance between any point of a contour and its image, in mm. */
const farthest = 1;

/**
 * Largest distance as a fraction of the image spacing. For contours, the smaller of this limit and the limit in mm
 * applies.
 */
const share = 0.5;

/**
 * Returns the largest allowed distance from an image, in mm. For a contour, it is the smaller of half the image spacing
 * and 1 mm. For a point, it is the larger of the two.
 */
const reachOf = ({ kind }: Contour, { spacing }: Stack): number => {
  const halfway = spacing === undefined ? farthest : spacing * share;
  return kind === 'point' ? Math.max(halfway, farthest) : Math.min(halfway, farthest);
};

/** Returns the distance of the farthest point of a contour from an image, in mm. */
const awayFrom = (contour: Contour, slice: Slice): number => {
  let away = 0;
  for (let index = 0; index < countOf(contour); index += 1) {
    away = Math.max(away, Math.abs(distanceFrom(slice, pointOf(contour, index))));
  }
  return away;
};

type ContourPlace = { image: number; isReferred: boolean } | { reason: string };

/** Returns the image nearest to a contour. Searches the images that the contour refers to, or all if it refers to none. */
const find = (contour: Contour, frameOfReference: string, stack: Stack): ContourPlace => {
  const referred = referredTo(stack, contour.references);
  const candidates = (referred.length > 0 ? referred : [...stack.targets.keys()]).flatMap((image) => {
    const slice = stack.targets[image]?.slice;
    return slice ? [{ image, slice }] : [];
  });
  if (candidates.length === 0) return { reason: placeUnknown };
  const inFrame = candidates.filter(
    ({ slice }) => frameOfReference !== '' && slice.frameOfReference === frameOfReference,
  );
  if (inFrame.length === 0) return { reason: otherFrameOfReference };

  const start = pointOf(contour, 0);
  const reach = reachOf(contour, stack);
  let best: { image: number; away: number } | undefined;
  for (const { image, slice } of inFrame) {
    // Tests the first point alone, which excludes most images quickly.
    const first = Math.abs(distanceFrom(slice, start));
    if (first > reach || (best && first > best.away)) continue;
    const away = awayFrom(contour, slice);
    if (away <= reach && (!best || away < best.away)) best = { image, away };
  }
  const isReferred = referred.length > 0;
  return best ? { image: best.image, isReferred } : { reason: isReferred ? elsewhere : notReached };
};

type PlacedContour = { contour: Contour; isReferred: boolean };

/** Returns the content of a region to draw on an image: its points, and the contours of one plane. */
const drawnOf = (lying: readonly PlacedContour[], slice: Slice | undefined, direction: Vector | undefined) => {
  const contours = lying.map(({ contour }) => contour);
  if (!slice) return new Set(contours);
  const inPlane = inNearestPlane(
    contours.filter(({ kind }) => kind !== 'point'),
    slice,
    direction,
  );
  return new Set(contours.filter((contour) => contour.kind === 'point' || inPlane.has(contour)));
};

/**
 * Places contours on the images in which they lie. If contours are closer together than images, each image shows only
 * the contours of the nearest plane, separately for each region.
 */
export const placeContours = (outlines: Outlines, stack: Stack): Placement => {
  const gathered = createCollector();
  for (const [region, { frameOfReference, contours }] of outlines) {
    const byImage = new Map<number, PlacedContour[]>();
    for (const contour of contours) {
      const result = find(contour, frameOfReference, stack);
      if ('reason' in result) {
        gathered.leaveOut(region, result.reason);
        continue;
      }
      const lying = byImage.get(result.image) ?? [];
      byImage.set(result.image, lying);
      lying.push({ contour, isReferred: result.isReferred });
    }
    const direction = directionOf([...byImage.values()].flat().map(({ contour }) => contour));
    for (const [image, lying] of byImage) {
      const drawnContours = drawnOf(lying, stack.targets[image]?.slice, direction);
      for (const { contour, isReferred } of lying) {
        if (drawnContours.has(contour)) gathered.put(image, { region, contour });
        else gathered.leaveOut(region, isReferred ? elsewhere : notReached);
      }
    }
  }
  return { parts: gathered.parts, reasons: gathered.reasons };
};
