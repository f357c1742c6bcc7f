import { dot, normalOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { pointAt, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import { framesOf } from '#reading/viewer/segments/fetch-masks.ts';
import { lieAlike } from '#reading/viewer/segments/image-stack.ts';
import { maskOf } from '#reading/viewer/segments/mask.ts';
import { breather } from '#reading/viewer/segments/prepare-parts.ts';
import { mostPoints } from '#reading/viewer/segments/read-structures.ts';
import type {
  Contour,
  MaskFrame,
  Masks,
  Outlines,
  SegmentSet,
  TracedFrames,
} from '#reading/viewer/segments/segment-set.ts';
import { traceMask } from '#reading/viewer/segments/trace-mask.ts';

/** Frames per request, so that a stopped request leaves little behind. */
const atOnce = 40;

/** Frames nearer than this show the same place, in mm. */
const samePlace = 0.1;

type PlacedFrame = MaskFrame & { slice: Slice };

type Drawable = { frameOfReference: string; placed: readonly PlacedFrame[]; traced: TracedFrames };

const framesOfRegion = ({ frames }: Masks, region: number): MaskFrame[] =>
  frames.filter(({ segment }) => segment === undefined || segment === region);

/**
 * Returns the frames of a region, if planes can show all of them: they are parallel, in one frame of reference, each at a
 * place of its own, and as thick as their distance. Undefined otherwise. A fractional segmentation has no outlines.
 */
const drawableFrames = (masks: Masks, region: number): Drawable | undefined => {
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
  // Empty frames may be missing, so of two usual distances the smaller counts.
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor((gaps.length - 1) / 2)];
  const thickness = usual ?? 2 * masks.reach;
  if (thickness > 2 * masks.reach + samePlace || gaps.some((gap) => gap <= samePlace)) return undefined;
  return { frameOfReference, placed, traced: { points: placed.map(({ slice }) => slice.position), thickness } };
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

/** Segment whose frames are being traced. */
type Tracing = { region: number; frameOfReference: string; contours: Contour[]; frames: TracedFrames; points: number };

/** Frame to fetch, and the segments to trace in it: all of a label map. */
type FrameToTrace = { number: number; slice: Slice; segments: Tracing[] };

/** Returns the segments that planes can show, in the order of the file, and each of their frames once. */
const toTrace = (masks: Masks, { regions }: SegmentSet): { segments: Tracing[]; frames: FrameToTrace[] } => {
  const frames = new Map<number, FrameToTrace>();
  const segments = regions.flatMap(({ number: region }): Tracing[] => {
    const drawable = drawableFrames(masks, region);
    if (!drawable) return [];
    const { frameOfReference, placed, traced } = drawable;
    const segment: Tracing = { region, frameOfReference, contours: [], frames: traced, points: 0 };
    for (const { number, slice } of placed) {
      const frame = frames.get(number) ?? { number, slice, segments: [] };
      frames.set(number, frame);
      frame.segments.push(segment);
    }
    return [segment];
  });
  return { segments, frames: [...frames.values()].toSorted((one, other) => one.number - other.number) };
};

/** Leaves out the last segments as long as all together have more than two million points. */
const leaveOutLast = (kept: Set<Tracing>): void => {
  const inOrder = [...kept];
  let sum = inOrder.reduce((total, { points }) => total + points, 0);
  for (const segment of inOrder.toReversed()) {
    if (sum <= mostPoints) return;
    kept.delete(segment);
    sum -= segment.points;
  }
};

/**
 * Traces the segments of a segmentation (PS3.3 §A.51), so that planes draw them like the contours of a structure set. Leaves
 * out segments that planes cannot show, and those after two million points. Fetches each frame once, because the frames
 * of a label map show all segments and may exceed the cache. Throws ApiError and WrongFrame.
 */
export const outlinesOfMasks = async (
  set: SegmentSet,
  signal: AbortSignal,
  fetchFrames: FetchFrames = (numbers) => framesOf(set, numbers, signal),
): Promise<Outlines> => {
  const { masks } = set;
  if (!masks) return new Map();
  const pause = breather();
  const { segments, frames } = toTrace(masks, set);
  const kept = new Set(segments);
  for (let start = 0; start < frames.length; start += atOnce) {
    const batch = frames.slice(start, start + atOnce).filter((frame) => frame.segments.some((one) => kept.has(one)));
    if (batch.length === 0) continue;
    const pixels = await fetchFrames(
      batch.map(({ number }) => number),
      signal,
    );
    for (const frame of batch) {
      const bytes = pixels.get(frame.number);
      if (!bytes) continue;
      for (const segment of frame.segments.filter((one) => kept.has(one))) {
        await pause();
        signal.throwIfAborted();
        const mask = maskOf(bytes, masks, segment.region);
        const contours = mask ? contoursOf(traceMask(mask), frame.slice) : [];
        segment.contours.push(...contours);
        segment.points += contours.reduce((sum, contour) => sum + contour.points.length / 3, 0);
      }
      leaveOutLast(kept);
    }
  }
  return new Map(
    [...kept].map(({ region, frameOfReference, contours, frames: traced }) => [
      region,
      { frameOfReference, contours, frames: traced },
    ]),
  );
};
