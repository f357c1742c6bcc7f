import { instanceOf } from './instance-id.ts';
import { type DicomJson, itemsOf, numberOf, tag } from './dicom-json.ts';

/** Pixel position: column and row, with fractions. 0 is the center of the first pixel. */
export type Pixel = readonly [column: number, row: number];

/** Change of value per pixel to the right or downward. */
export type RegionAxis = {
  /** Unit of `perPixel`. Undefined for units in which the viewer does not measure. */
  unit: 'cm' | 's' | 'cm/s' | 'Hz' | undefined;
  /** Never 0. Negative if values decrease to the right or downward. */
  perPixel: number;
  /** Value at pixel 0 of the image. Undefined without a reference pixel. */
  atZero: number | undefined;
};

/** Part of an ultrasound image that has its own scale (PS3.3 §C.8.5.5). */
export type UltrasoundRegion = {
  /** Content: tissue or flow in two dimensions, depth over time (M-mode), velocity over time (Doppler), or other. */
  kind: 'tissue' | 'motion' | 'spectrum' | 'other';
  /** First and last column and row, inclusive. */
  first: Pixel;
  last: Pixel;
  /** Whether a region with high priority covers this region where the two overlap (§C.8.5.5.1.3). */
  isLowPriority: boolean;
  x: RegionAxis;
  y: RegionAxis;
};

/** Region Spatial Format and Data Type (§C.8.5.5.1.1). */
const kinds: Record<number, UltrasoundRegion['kind']> = { 1: 'tissue', 2: 'motion', 3: 'spectrum' };

/** Physical units (§C.8.5.5.1.15). */
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

/** Returns the regions of an image that have a location and a scale. */
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

/** Whether a region contains a point. A pixel extends by half a pixel around its center. */
const contains = ({ first, last }: UltrasoundRegion, [column, row]: Pixel): boolean =>
  column >= first[0] - 0.5 && column <= last[0] + 0.5 && row >= first[1] - 0.5 && row <= last[1] + 0.5;

/**
 * Returns the regions that apply to a point. Of the regions that contain the point, these are the regions with the
 * highest priority.
 */
const regionsAt = (regions: readonly UltrasoundRegion[], point: Pixel): UltrasoundRegion[] => {
  const holding = regions.filter((region) => contains(region, point));
  const high = holding.filter(({ isLowPriority }) => !isLowPriority);
  return high.length > 0 ? high : holding;
};

const isSameAxis = (one: RegionAxis, other: RegionAxis): boolean =>
  one.unit === other.unit && Math.abs(one.perPixel - other.perPixel) <= Math.abs(one.perPixel) * 1e-6;

const isSameScale = (one: UltrasoundRegion, other: UltrasoundRegion): boolean =>
  one.kind === other.kind && isSameAxis(one.x, other.x) && isSameAxis(one.y, other.y);

/** Reason why points have no common scale. */
export type NoScale = 'outside the calibrated regions' | 'across regions' | 'no single scale here';

/**
 * Returns the region that measures all points, or the reason why there is none. One region must contain all points:
 * adjacent regions are separate, even if their scales are equal. Overlapping regions, such as a color box on tissue,
 * must have the same scale.
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

/** Returns the distance of two points along each axis in the unit of that axis, never negative. */
export const extentsIn = ({ x, y }: UltrasoundRegion, from: Pixel, to: Pixel): readonly [x: number, y: number] => [
  Math.abs((to[0] - from[0]) * x.perPixel),
  Math.abs((to[1] - from[1]) * y.perPixel),
];

/** Returns the value of the vertical axis at a point, with its sign. Undefined without a reference pixel. */
export const valueIn = ({ y }: UltrasoundRegion, [, row]: Pixel): number | undefined =>
  y.atZero === undefined ? undefined : y.atZero + row * y.perPixel;

/** Regions by instance, for images that have regions. */
const known = new Map<string, readonly UltrasoundRegion[]>();

/** Records the regions of an image, for callers that have only the image ID. Replaces earlier regions. */
export const learnRegions = (imageId: string, header: DicomJson) => {
  const regions = regionsOf(header);
  if (regions.length > 0) known.set(instanceOf(imageId), regions);
  else known.delete(instanceOf(imageId));
};

/** Returns the regions of an image, given the image ID of any frame. Empty if it has none. */
export const regionsOfImage = (imageId: string): readonly UltrasoundRegion[] => known.get(instanceOf(imageId)) ?? [];
