import { dot, normalOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { pointAt, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import { framesOf } from '#reading/viewer/segments/fetch-masks.ts';
import { lieAlike } from '#reading/viewer/segments/image-stack.ts';
import { maskOf } from '#reading/viewer/segments/mask.ts';
import { breather } from '#reading/viewer/segments/prepare-parts.ts';
import { mostPoints } from '#reading/viewer/segments/read-structures.ts';
import type { Contour, MaskFrame, Masks, Outlines, SegmentSet } from '#reading/viewer/segments/segment-set.ts';
import { traceMask } from '#reading/viewer/segments/trace-mask.ts';

/** Frames per request, so that a stopped request leaves little behind. */
const atOnce = 40;

/** Frames nearer than this show the same place, in mm. */
const samePlace = 0.1;

type PlacedFrame = MaskFrame & { slice: Slice };

const framesOfRegion = ({ frames }: Masks, region: number): MaskFrame[] =>
  frames.filter(({ segment }) => segment === undefined || segment === region);

/**
 * Returns the frames of a region, if planes can show all of them: they are parallel, in one frame of reference, each at a
 * place of its own, and as thick as their distance. Undefined otherwise. A fractional segmentation has no outlines.
 */
const drawableFrames = (masks: Masks, region: number): PlacedFrame[] | undefined => {
  if (masks.type === 'FRACTIONAL') return undefined;
  const frames = framesOfRegion(masks, region);
  const placed = frames.flatMap((frame) => (frame.slice ? [{ ...frame, slice: frame.slice }] : []));
  const [first] = placed;
  if (!first || placed.length < frames.length) return undefined;
  const { frameOfReference } = first.slice;
  if (!placed.every(({ slice }) => slice.frameOfReference === frameOfReference && lieAlike(first.slice, slice)))
    return undefined;
  const normal = normalOf(first.slice);
  const depths = placed.map(({ slice }) => dot(slice.position, normal)).toSorted((one, other) => one - other);
  const gaps = depths.slice(1).map((depth, at) => depth - (depths[at] ?? depth));
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)];
  const isThick = usual === undefined || usual <= 2 * masks.reach + samePlace;
  return isThick && gaps.every((gap) => gap > samePlace) ? placed : undefined;
};

const contoursOf = (lines: readonly number[][], slice: Slice): Contour[] =>
  lines.map((line) => {
    const points = new Float64Array((line.length / 2) * 3);
    for (let at = 0; at < line.length / 2; at += 1) {
      points.set(pointAt(slice, { column: line[2 * at] ?? 0, row: line[2 * at + 1] ?? 0 }), 3 * at);
    }
    // The even-odd rule leaves holes empty.
    return { kind: 'closed', isExclusive: true, points, references: [] };
  });

/** Fetches the pixels of frames by their number. */
type FetchFrames = (numbers: readonly number[], signal: AbortSignal) => Promise<ReadonlyMap<number, Uint8Array>>;

/**
 * Traces the segments of a segmentation (PS3.3 §A.51), so that planes draw them like the contours of a structure set. Leaves
 * out segments that planes cannot show, and those after two million points. Throws ApiError and WrongFrame.
 */
export const outlinesOfMasks = async (
  set: SegmentSet,
  signal: AbortSignal,
  fetchFrames: FetchFrames = (numbers) => framesOf(set, numbers, signal),
): Promise<Outlines> => {
  const { masks } = set;
  const outlines = new Map<number, { frameOfReference: string; contours: Contour[] }>();
  if (!masks) return outlines;
  const pause = breather();
  let points = 0;
  for (const { number: region } of set.regions) {
    const frames = drawableFrames(masks, region);
    if (!frames) continue;
    const contours: Contour[] = [];
    for (let start = 0; start < frames.length; start += atOnce) {
      const batch = frames.slice(start, start + atOnce);
      const pixels = await fetchFrames(
        batch.map(({ number }) => number),
        signal,
      );
      for (const { number, slice } of batch) {
        await pause();
        signal.throwIfAborted();
        const bytes = pixels.get(number);
        const mask = bytes && maskOf(bytes, masks, region);
        if (mask) contours.push(...contoursOf(traceMask(mask), slice));
      }
    }
    points += contours.reduce((sum, contour) => sum + contour.points.length / 3, 0);
    if (points > mostPoints) return outlines;
    outlines.set(region, { frameOfReference: frames[0]?.slice.frameOfReference ?? '', contours });
  }
  return outlines;
};
