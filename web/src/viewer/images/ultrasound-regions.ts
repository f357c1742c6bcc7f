import { instanceOf } from './instance-of.ts';
import { type DicomJson, itemsOf, numberOf, tag } from './dicom-json.ts';

/** A place in an image: column and row of its pixels, 0 in the middle of the first, also between them. */
export type Pixel = readonly [column: number, row: number];

/** What a step of one pixel to the right or down is worth in a region. */
export type RegionAxis = {
  /** Of `perPixel`; undefined for units that nothing is measured in here. */
  unit: 'cm' | 's' | 'cm/s' | 'Hz' | undefined;
  /** Never 0; below 0 where the values fall from left to right or downwards. */
  perPixel: number;
  /** The value at pixel 0 of the image; undefined where the header names no reference pixel. */
  atZero: number | undefined;
};

/** A part of an ultrasound image with a scale of its own (PS3.3 §C.8.5.5). */
export type UltrasoundRegion = {
  /** Tissue or flow in two dimensions, depth over time (M-mode), velocity over time (Doppler), anything else. */
  kind: 'tissue' | 'motion' | 'spectrum' | 'other';
  /** Its first and last column and row, which belong to it. */
  first: Pixel;
  last: Pixel;
  /** Where regions lie over each other, the data of one of high priority overwrites that of low priority (§C.8.5.5.1.3). */
  isLowPriority: boolean;
  x: RegionAxis;
  y: RegionAxis;
};

/** §C.8.5.5.1.1. */
const kinds: Record<number, UltrasoundRegion['kind']> = { 1: 'tissue', 2: 'motion', 3: 'spectrum' };

/** §C.8.5.5.1.15. */
const units: Record<number, RegionAxis['unit']> = { 3: 'cm', 4: 's', 5: 'Hz', 7: 'cm/s' };

const axes = {
  x: {
    first: tag.RegionLocationMinX0,
    last: tag.RegionLocationMaxX1,
    unit: tag.PhysicalUnitsXDirection,
    perPixel: tag.PhysicalDeltaX,
    reference: tag.ReferencePixelX0,
    value: tag.ReferencePixelPhysicalValueX,
  },
  y: {
    first: tag.RegionLocationMinY0,
    last: tag.RegionLocationMaxY1,
    unit: tag.PhysicalUnitsYDirection,
    perPixel: tag.PhysicalDeltaY,
    reference: tag.ReferencePixelY0,
    value: tag.ReferencePixelPhysicalValueY,
  },
} as const;

/** The regions of an image; what lacks its place or its scale is none. */
export const regionsOf = (header: DicomJson): UltrasoundRegion[] =>
  itemsOf(header, tag.SequenceOfUltrasoundRegions).flatMap((item) => {
    const [x, y] = [axisOf(item, 'x'), axisOf(item, 'y')];
    if (!x || !y) return [];
    return [
      {
        kind: kinds[numberOf(item, tag.RegionSpatialFormat) ?? 0] ?? 'other',
        first: [x.first, y.first],
        last: [x.last, y.last],
        isLowPriority: ((numberOf(item, tag.RegionFlags) ?? 0) & 1) === 1,
        x: x.axis,
        y: y.axis,
      },
    ];
  });

const axisOf = (item: DicomJson, direction: 'x' | 'y') => {
  const attributes = axes[direction];
  const [first, last] = [numberOf(item, attributes.first), numberOf(item, attributes.last)];
  const perPixel = numberOf(item, attributes.perPixel);
  if (first === undefined || last === undefined || !perPixel) return undefined;
  // The reference pixel counts from the corner of its region (§C.8.5.5.1.7).
  const reference = numberOf(item, attributes.reference);
  const value = numberOf(item, attributes.value) ?? 0;
  const axis: RegionAxis = {
    unit: units[numberOf(item, attributes.unit) ?? 0],
    perPixel,
    atZero: reference === undefined ? undefined : value - (first + reference) * perPixel,
  };
  return { first, last, axis };
};

/** Half a pixel around its middle belongs to a pixel. */
const contains = ({ first, last }: UltrasoundRegion, [column, row]: Pixel): boolean =>
  column >= first[0] - 0.5 && column <= last[0] + 0.5 && row >= first[1] - 0.5 && row <= last[1] + 0.5;

/** The regions that say what a point is worth: of those that hold it, the ones of the highest priority. */
const regionsAt = (regions: readonly UltrasoundRegion[], point: Pixel): UltrasoundRegion[] => {
  const holding = regions.filter((region) => contains(region, point));
  const high = holding.filter(({ isLowPriority }) => !isLowPriority);
  return high.length > 0 ? high : holding;
};

const isSameAxis = (one: RegionAxis, other: RegionAxis): boolean =>
  one.unit === other.unit && Math.abs(one.perPixel - other.perPixel) <= Math.abs(one.perPixel) * 1e-6;

const isSameScale = (one: UltrasoundRegion, other: UltrasoundRegion): boolean =>
  one.kind === other.kind && isSameAxis(one.x, other.x) && isSameAxis(one.y, other.y);

/** Why points have no scale in common, in words. */
export type NoScale = 'outside the calibrated regions' | 'across regions' | 'no single scale here';

/**
 * The region by which points are measured together, or why there is none. One region must hold all of them: two that
 * stand side by side have nothing in common even where their scales are the same. Regions over each other, a colour box
 * on tissue, must agree.
 */
export const regionOf = (
  regions: readonly UltrasoundRegion[],
  points: readonly Pixel[],
): UltrasoundRegion | NoScale => {
  const atEach = points.map((point) => regionsAt(regions, point));
  if (points.length === 0 || atEach.some((at) => at.length === 0)) return 'outside the calibrated regions';
  const common = regions.filter((region) => points.every((point) => contains(region, point)));
  const [first] = common.filter((region) => atEach.every((at) => at.some((one) => isSameScale(one, region))));
  if (!first) return 'across regions';
  if (atEach.some((at) => at.some((one) => !isSameScale(one, first)))) return 'no single scale here';
  return first;
};

/** How far apart two points are along each axis, in its unit and without a sign. */
export const extentsIn = ({ x, y }: UltrasoundRegion, from: Pixel, to: Pixel): readonly [x: number, y: number] => [
  Math.abs((to[0] - from[0]) * x.perPixel),
  Math.abs((to[1] - from[1]) * y.perPixel),
];

/** What the vertical axis says at a point, with its sign; undefined where the header does not say where 0 is. */
export const valueIn = ({ y }: UltrasoundRegion, [, row]: Pixel): number | undefined =>
  y.atZero === undefined ? undefined : y.atZero + row * y.perPixel;

/** The regions of the images that have some, by the address of the instance. */
const known = new Map<string, readonly UltrasoundRegion[]>();

/** Keeps the regions of an image for those who know no more than its id. What was known of it is replaced. */
export const learnRegions = (imageId: string, header: DicomJson) => {
  const regions = regionsOf(header);
  if (regions.length > 0) known.set(instanceOf(imageId), regions);
  else known.delete(instanceOf(imageId));
};

/** The regions of any frame of an image; none for images without. */
export const regionsOfImage = (imageId: string): readonly UltrasoundRegion[] => known.get(instanceOf(imageId)) ?? [];
