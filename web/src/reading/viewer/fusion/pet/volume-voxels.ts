import { cache, type Types } from '@cornerstonejs/core';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Volume } from '#reading/viewer/volumes/volume.ts';
import type { VoxelGrid } from './voxel-grid.ts';

type Slice = Types.IImage['voxelManager'];

/** Returns the voxels of a volume. A slice that is not loaded gives NaN, which excludes it from all results. */
export const voxelsOf = ({ content }: Volume): VoxelGrid => {
  const { dimensions, spacing, origin, direction, imageIds } = content;
  const slices: Slice[] = [];
  const sliceAt = (k: number): Slice => {
    slices[k] ??= cache.getImage(imageIds[k] ?? '')?.voxelManager;
    return slices[k];
  };
  const axis = (from: 0 | 3 | 6): Vector => [direction[from], direction[from + 1] ?? 0, direction[from + 2] ?? 0];
  return {
    dimensions: [dimensions[0], dimensions[1], dimensions[2]],
    spacing: [spacing[0], spacing[1], spacing[2]],
    origin: [origin[0], origin[1], origin[2]],
    axes: [axis(0), axis(3), axis(6)],
    at: (i, j, k) => {
      const value: unknown = sliceAt(k)?.getAtIJK(i, j, 0);
      return typeof value === 'number' ? value : Number.NaN;
    },
  };
};
