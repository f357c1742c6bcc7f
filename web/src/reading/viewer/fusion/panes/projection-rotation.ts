import { t } from '@lingui/core/macro';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { indexOf, isInside, type VoxelGrid } from '#reading/viewer/fusion/pet/voxel-grid.ts';

/** Returns the view direction of the projection. 0 degrees is from the front, 90 from the patient's left. */
export const viewFrom = (degrees: number): { normal: Vector; up: Vector } => {
  const angle = (degrees * Math.PI) / 180;
  return { normal: [Math.sin(angle), -Math.cos(angle), 0], up: [0, 0, 1] };
};

export const turned = (degrees: number, by: number): number => (((degrees + by) % 360) + 360) % 360;

const views: Record<number, string> = {
  0: t`from the front`,
  90: t`from the left`,
  180: t`from the back`,
  270: t`from the right`,
};

/** Returns a text for users and screen readers: "from the front", "rotated 30°". */
export const viewText = (degrees: number): string => {
  const angle = Math.round(degrees);
  return views[angle] ?? t`rotated ${angle}°`;
};

/** Returns the diagonal of the volume in mm. A slab of this thickness contains the volume at every angle. */
export const diagonalOf = ({ dimensions, spacing }: VoxelGrid): number =>
  Math.hypot(...dimensions.map((count, axis) => count * (spacing[axis] ?? 0)));

/** Returns the center of the voxel with the highest value on a line. The projection shows this voxel. */
export const hottestOn = (grid: VoxelGrid, through: Vector, direction: Vector): Vector | undefined => {
  const step = Math.min(...grid.spacing) / 2;
  const reach = diagonalOf(grid);
  let best: { value: number; point: Vector } | undefined;
  for (let way = -reach; way <= reach; way += step) {
    const point: Vector = [
      through[0] + way * direction[0],
      through[1] + way * direction[1],
      through[2] + way * direction[2],
    ];
    const [i, j, k] = indexOf(grid, point);
    const nearest = [Math.round(i), Math.round(j), Math.round(k)] as const;
    if (!isInside(grid, nearest)) continue;
    const value = grid.at(...nearest);
    if (value > (best?.value ?? Number.NEGATIVE_INFINITY)) best = { value, point };
  }
  return best?.point;
};
