import { between, dot, type Vector } from '#viewer/images/image-plane.ts';

type Index = readonly [i: number, j: number, k: number];

/** The voxels of a volume in the patient. Lengths in mm; the axes have length 1 and stand upright on each other. */
export type VoxelGrid = {
  dimensions: Index;
  spacing: Index;
  /** The middle of the first voxel. */
  origin: Vector;
  axes: readonly [Vector, Vector, Vector];
  /** The number of a voxel that is in the grid. */
  at: (i: number, j: number, k: number) => number;
};

const along = [0, 1, 2] as const;

/** Where a point lies in the grid, in voxels from the middle of the first, with fractions. */
export const indexOf = ({ origin, axes, spacing }: VoxelGrid, point: Vector): Index => {
  const from = between(origin, point);
  const on = (axis: 0 | 1 | 2) => dot(from, axes[axis]) / spacing[axis];
  return [on(0), on(1), on(2)];
};

/** Where a place in the grid lies in the patient. */
export const pointOf = ({ origin, axes, spacing }: VoxelGrid, index: Index): Vector => {
  const on = (part: 0 | 1 | 2) =>
    along.reduce((sum, axis) => sum + index[axis] * spacing[axis] * axes[axis][part], origin[part]);
  return [on(0), on(1), on(2)];
};

export const isInside = ({ dimensions }: VoxelGrid, index: Index): boolean =>
  along.every((axis) => index[axis] >= 0 && index[axis] <= dimensions[axis] - 1);

/** The number of the voxel that a point lies in; undefined outside the grid. */
export const valueAt = (grid: VoxelGrid, point: Vector): number | undefined => {
  const [i, j, k] = indexOf(grid, point);
  const nearest: Index = [Math.round(i), Math.round(j), Math.round(k)];
  return isInside(grid, nearest) ? grid.at(...nearest) : undefined;
};

/** What a voxel takes, in ml. */
export const voxelVolume = ({ spacing: [i, j, k] }: VoxelGrid): number => (i * j * k) / 1000;
