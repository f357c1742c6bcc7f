import { t } from '@lingui/core/macro';
import { plus, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { lettersOf, oppositeOf } from '#reading/viewer/images/geometry/orientation.ts';

/** Part of one axis that cropping keeps, as percentages of the axis. */
export type Part = readonly [from: number, to: number];

/** Parts that cropping keeps along columns, rows and slices. */
export type Crop = readonly [Part, Part, Part];

export const wholeVolume: Crop = [
  [0, 100],
  [0, 100],
  [0, 100],
];

export const isWhole = (crop: Crop): boolean => crop.every(([from, to]) => from <= 0 && to >= 100);

/** Grid of a volume: first voxel, unit vectors of the axes, spacing and dimensions. */
export type Grid = {
  origin: ArrayLike<number>;
  direction: ArrayLike<number>;
  spacing: ArrayLike<number>;
  dimensions: ArrayLike<number>;
};

/** Crop plane in mm. Its normal points to the part of the volume that is kept. */
export type CropPlane = { origin: Vector; normal: Vector };

const axes = [0, 1, 2] as const;

const at = (numbers: ArrayLike<number>, index: number): number => numbers[index] ?? 0;

const alongOf = ({ direction }: Grid, axis: number): Vector => [
  at(direction, axis * 3),
  at(direction, axis * 3 + 1),
  at(direction, axis * 3 + 2),
];

/** Returns the planes that crop a volume. A side that is not cropped has no plane. */
export const cropPlanes = (grid: Grid, crop: Crop): CropPlane[] =>
  axes.flatMap((axis) => {
    const along = alongOf(grid, axis);
    const first: Vector = [at(grid.origin, 0), at(grid.origin, 1), at(grid.origin, 2)];
    /** Returns a point on the axis. 0 % is the outer edge of the first voxel; 100 % is the outer edge of the last. */
    const pointAt = (percent: number): Vector =>
      plus(first, times(along, ((percent / 100) * at(grid.dimensions, axis) - 0.5) * at(grid.spacing, axis)));
    const [from, to] = crop[axis];
    return [
      ...(from > 0 ? [{ origin: pointAt(from), normal: along }] : []),
      ...(to < 100 ? [{ origin: pointAt(to), normal: times(along, -1) }] : []),
    ];
  });

const words: Record<string, string> = {
  R: t`right`,
  L: t`left`,
  A: t`front`,
  P: t`back`,
  H: t`head`,
  F: t`feet`,
};

/** Returns the patient directions at both ends of an axis: "right", "left". */
export const endsOf = (grid: Grid, axis: 0 | 1 | 2): readonly [string, string] => {
  const letter = lettersOf(alongOf(grid, axis)).slice(0, 1);
  return [words[oppositeOf(letter)] ?? t`start`, words[letter] ?? t`end`];
};
