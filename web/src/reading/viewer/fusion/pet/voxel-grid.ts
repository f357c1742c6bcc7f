import { between, dot, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

type Index = readonly [i: number, j: number, k: number];

/** Voxels of a volume in patient coordinates. Lengths are in mm; the axes are orthogonal and of length 1. */
export type VoxelGrid = {
  dimensions: Index;
  spacing: Index;
  /** Center of the first voxel. */
  origin: Vector;
  axes: readonly [Vector, Vector, Vector];
  /** Returns the value of a voxel inside the grid. */
  at: (i: number, j: number, k: number) => number;
};

const along = [0, 1, 2] as const;

/**
 * Converts patient coordinates to grid coordinates. These count voxels from the center of the first, with fractions.
 */
export const indexOf = ({ origin, axes, spacing }: VoxelGrid, point: Vector): Index => {
  const from = between(origin, point);
  const on = (axis: 0 | 1 | 2) => dot(from, axes[axis]) / spacing[axis];
  return [on(0), on(1), on(2)];
};

/** Converts grid coordinates to patient coordinates. */
export const pointOf = ({ origin, axes, spacing }: VoxelGrid, index: Index): Vector => {
  const on = (part: 0 | 1 | 2) =>
    along.reduce((sum, axis) => sum + index[axis] * spacing[axis] * axes[axis][part], origin[part]);
  return [on(0), on(1), on(2)];
};

export const isInside = ({ dimensions }: VoxelGrid, index: Index): boolean =>
  along.every((axis) => index[axis] >= 0 && index[axis] <= dimensions[axis] - 1);

/** Returns the value of the voxel that contains a point. Undefined outside the grid. */
export const valueAt = (grid: VoxelGrid, point: Vector): number | undefined => {
  const [i, j, k] = indexOf(grid, point);
  const nearest: Index = [Math.round(i), Math.round(j), Math.round(k)];
  return isInside(grid, nearest) ? grid.at(...nearest) : undefined;
};

/** Returns the volume of a voxel, in ml. */
export const voxelVolume = ({ spacing: [i, j, k] }: VoxelGrid): number => (i * j * k) / 1000;
