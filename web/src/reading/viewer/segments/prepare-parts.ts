import { pixelAt, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { Color } from '@radwork/dicom/cielab';
import { fillsOf } from './contour-fills.ts';
import { boundedCache } from './frame-cache.ts';
import { forgetFrames, framesOf } from './fetch-masks.ts';
import { edgesOf, type Mask, maskOf } from './mask.ts';
import { type Contour, countOf, type Masks, pointOf, type Region, type SegmentSet } from './segment-set.ts';
import type { Part, Target } from './image-stack.ts';

/** Content ready for drawing, in columns and rows of a grid. */
export type PreparedPart = {
  region: string;
  color: Color;
  /** Plane of the grid. Undefined if the grid is that of the image. */
  grid: Slice | undefined;
  /** Bitmap of a mask, and the column and row of its first pixel. */
  picture?: { bitmap: ImageBitmap; column: number; row: number };
  /** Area to fill if there is no bitmap. */
  area?: Path2D;
  line: Path2D;
};

/** Parts of one segment set to draw on one image. */
export type SegmentRequest = { set: SegmentSet; parts: readonly Part[]; target: Target };

/** Size of the cache for mask bitmaps and outlines, in bytes. */
const maxCacheBytes = 96 * 1024 * 1024;

type DrawnMask = { picture: NonNullable<PreparedPart['picture']>; line: Path2D } | 'nothing';

/** Cache of drawn masks. Removed bitmaps are not closed, because a pane may still show them. */
const masks = boundedCache<DrawnMask>(maxCacheBytes, (drawn) =>
  drawn === 'nothing' ? 64 : drawn.picture.bitmap.width * drawn.picture.bitmap.height * 5 + 1024,
);

let users = 0;

/** Keeps the cache until the returned function is called. When the last caller has called it, the cache is cleared. */
export const retainCache = (): (() => void) => {
  users += 1;
  return () => {
    users -= 1;
    if (users > 0) return;
    masks.clear();
    forgetFrames();
  };
};

/** Longest time to block the page without a pause, in milliseconds. */
const busyAtMost = 12;

/** Returns a function that lets the page react after some milliseconds of work. */
export const breather = () => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < busyAtMost) return;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    since = performance.now();
  };
};

const pictureOf = (mask: Mask, [red, green, blue]: Color): Promise<ImageBitmap> => {
  const pixels = new Uint8ClampedArray(mask.values.length * 4);
  for (const [at, value] of mask.values.entries()) pixels.set([red, green, blue, value], at * 4);
  return createImageBitmap(new ImageData(pixels, mask.columns, mask.rows));
};

const lineOf = (mask: Mask): Path2D => {
  const path = new Path2D();
  const edges = edgesOf(mask);
  for (let at = 0; at < edges.length; at += 4) {
    path.moveTo(edges[at] ?? 0, edges[at + 1] ?? 0);
    path.lineTo(edges[at + 2] ?? 0, edges[at + 3] ?? 0);
  }
  return path;
};

const drawnMask = async (bytes: Uint8Array, format: Masks, { number, color }: Region): Promise<DrawnMask> => {
  const mask = maskOf(bytes, format, number);
  if (!mask) return 'nothing';
  return {
    picture: { bitmap: await pictureOf(mask, color), column: mask.left, row: mask.top },
    line: lineOf(mask),
  };
};

/** Half the size of the cross that shows a single point, in mm. */
const crossArm = 4;

const cross = (contour: Contour, slice: Slice): Path2D => {
  const path = new Path2D();
  const [across, down] = [crossArm / slice.columnSpacing, crossArm / slice.rowSpacing];
  for (let index = 0; index < countOf(contour); index += 1) {
    const { row, column } = pixelAt(slice, pointOf(contour, index));
    path.moveTo(column - across, row);
    path.lineTo(column + across, row);
    path.moveTo(column, row - down);
    path.lineTo(column, row + down);
  }
  return path;
};

const outline = (contour: Contour, slice: Slice): Path2D => {
  const path = new Path2D();
  for (let index = 0; index < countOf(contour); index += 1) {
    const { row, column } = pixelAt(slice, pointOf(contour, index));
    if (index === 0) path.moveTo(column, row);
    else path.lineTo(column, row);
  }
  if (contour.kind === 'closed') path.closePath();
  return path;
};

/**
 * Returns the areas of the closed contours of a region on an image. A contour inside another cuts a hole into it if
 * both are filled together.
 */
const areasOf = (region: Region, contours: readonly Contour[], slice: Slice): PreparedPart[] =>
  fillsOf(contours, slice).map((together) => {
    const area = new Path2D();
    for (const contour of together) area.addPath(outline(contour, slice));
    return { region: region.key, color: region.color, grid: slice, area, line: area };
  });

const contoursOf = ({ set, parts, target: { slice } }: SegmentRequest): PreparedPart[] =>
  set.regions.flatMap((region) => {
    const mine = parts.flatMap((part) => ('contour' in part && part.region === region.number ? [part.contour] : []));
    if (!slice || mine.length === 0) return [];
    const [closed, others] = [
      mine.filter(({ kind }) => kind === 'closed'),
      mine.filter(({ kind }) => kind !== 'closed'),
    ];
    return [
      ...(closed.length > 0 ? areasOf(region, closed, slice) : []),
      ...others.map((contour) => ({
        region: region.key,
        color: region.color,
        grid: slice,
        line: contour.kind === 'point' ? cross(contour, slice) : outline(contour, slice),
      })),
    ];
  });

type MaskPart = Extract<Part, { mask: unknown }>;

const nameOf = (set: SegmentSet, { mask, region }: MaskPart) => `${set.sopInstanceUID} ${mask.number} ${region}`;

const maskPartsOf = ({ parts }: SegmentRequest): MaskPart[] => parts.filter((part) => 'mask' in part);

/** Prepares missing masks: fetches frames and extracts the segments, with pauses for the page. */
const makeMasks = async (
  request: SegmentRequest,
  signal: AbortSignal,
  pause: () => Promise<void>,
): Promise<Map<string, DrawnMask>> => {
  const { set } = request;
  const drawnMasks = new Map<string, DrawnMask>();
  const missing = maskPartsOf(request).filter((part) => {
    const known = masks.get(nameOf(set, part));
    if (known) drawnMasks.set(nameOf(set, part), known);
    return !known;
  });
  const bytes = await framesOf(set, [...new Set(missing.map(({ mask }) => mask.number))], signal);
  for (const part of missing) {
    const region = set.regions.find(({ number }) => number === part.region);
    const ofFrame = bytes.get(part.mask.number);
    if (!region || !ofFrame || !set.masks) continue;
    await pause();
    signal.throwIfAborted();
    const mask = await drawnMask(ofFrame, set.masks, region);
    masks.set(nameOf(set, part), mask);
    drawnMasks.set(nameOf(set, part), mask);
  }
  return drawnMasks;
};

const collect = (request: SegmentRequest, drawnOf: (name: string) => DrawnMask | undefined): PreparedPart[] => {
  const { set, target } = request;
  const fromMasks = maskPartsOf(request).flatMap((part): PreparedPart[] => {
    const mask = drawnOf(nameOf(set, part));
    const region = set.regions.find(({ number }) => number === part.region);
    if (!mask || mask === 'nothing' || !region) return [];
    const grid = part.isOnGrid ? target.slice : part.mask.slice;
    return [{ region: region.key, color: region.color, grid, picture: mask.picture, line: mask.line }];
  });
  return [...fromMasks, ...contoursOf(request)];
};

/** Returns the prepared content. Undefined if something must be fetched first. */
export const preparedNow = (all: readonly SegmentRequest[]): PreparedPart[] | undefined => {
  const isReady = all.every((request) => maskPartsOf(request).every((part) => masks.has(nameOf(request.set, part))));
  return isReady ? all.flatMap((request) => collect(request, masks.get)) : undefined;
};

/** Prepares the content of an image. Throws ApiError, WrongFrame or the reason of the abort signal. */
export const prepare = async (all: readonly SegmentRequest[], signal: AbortSignal): Promise<PreparedPart[]> => {
  const pause = breather();
  const prepared: PreparedPart[] = [];
  for (const request of all) {
    const drawnMasks = await makeMasks(request, signal, pause);
    prepared.push(...collect(request, (name) => drawnMasks.get(name)));
  }
  return prepared;
};
