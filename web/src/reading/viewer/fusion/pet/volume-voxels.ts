import { cache, metaData, type Types } from '@cornerstonejs/core';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { countedIn } from '#reading/viewer/images/values/counted-values.ts';
import type { Volume } from '#reading/viewer/volumes/volume.ts';
import type { VoxelGrid } from './voxel-grid.ts';

type Slice = { voxels: Types.IImage['voxelManager']; isCounted: (value: number) => boolean };

const sliceOf = (imageId: string): Slice | undefined => {
  const image = cache.getImage(imageId);
  if (!image) return undefined;
  const [uncounted, table] = [metaData.get('uncountedValues', imageId), metaData.get('modalityTable', imageId)];
  return { voxels: image.voxelManager, isCounted: countedIn(image, uncounted ?? [], table) };
};

/**
 * Returns the voxels of a volume. Padding, and a slice that is not loaded, give NaN, which excludes them from all
 * results.
 */
export const voxelsOf = ({ content }: Pick<Volume, 'content'>): VoxelGrid => {
  const { dimensions, spacing, origin, direction, imageIds } = content;
  const slices: (Slice | undefined)[] = [];
  const sliceAt = (k: number): Slice | undefined => {
    slices[k] ??= sliceOf(imageIds[k] ?? '');
    return slices[k];
  };
  const axis = (from: 0 | 3 | 6): Vector => [direction[from], direction[from + 1] ?? 0, direction[from + 2] ?? 0];
  return {
    dimensions: [dimensions[0], dimensions[1], dimensions[2]],
    spacing: [spacing[0], spacing[1], spacing[2]],
    origin: [origin[0], origin[1], origin[2]],
    axes: [axis(0), axis(3), axis(6)],
    at: (i, j, k) => {
      const slice = sliceAt(k);
      const value: unknown = slice?.voxels?.getAtIJK(i, j, 0);
      return typeof value === 'number' && slice?.isCounted(value) ? value : Number.NaN;
    },
  };
};
