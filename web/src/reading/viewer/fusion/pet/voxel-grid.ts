import { between, dot, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

type Index = readonly [i: number, j: number, k: number];

/** Voxels of a volume in patient coordinates. Lengths in mm; the axes have length 1 and are orthogonal. */
export type VoxelGrid = {
  dimensions: Index;
  spacing: Index;
  /** Center of the first voxel. */
  origin: Vector;
  axes: readonly [Vector, Vector, Vector];
  /** Value of a voxel inside the grid. */
  at: (i: number, j: number, k: number) => number;
};

const along = [0, 1, 2] as const;

/** Converts patient coordinates to grid coordinates: voxels from the center of the first, with fractions. */
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

/** Value of the voxel that contains a point; undefined outside the grid. */
export const valueAt = (grid: VoxelGrid, point: Vector): number | undefined => {
  const [i, j, k] = indexOf(grid, point);
  const nearest: Index = [Math.round(i), Math.round(j), Math.round(k)];
  return isInside(grid, nearest) ? grid.at(...nearest) : undefined;
};

/** Volume of a voxel, in ml. */
export const voxelVolume = ({ spacing: [i, j, k] }: VoxelGrid): number => (i * j * k) / 1000;
