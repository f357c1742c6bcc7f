import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { indexOf, type VoxelGrid, voxelVolume } from '#reading/viewer/fusion/pet/voxel-grid.ts';

/** Sphere in patient coordinates, in mm. */
export type Sphere = { center: Vector; radius: number };

/** Mean and maximum in the unit of the voxels, volume in ml. */
export type SphereStatistics = { mean: number; max: number; volume: number };

/** Radius of a ball of 1 cm³, in mm. */
export const peakRadius = ((3 * 1000) / (4 * Math.PI)) ** (1 / 3);

/**
 * Number of sample points on each edge of a voxel at the surface. They estimate which fraction of the voxel is inside.
 */
const samples = 5;

/**
 * Returns the fraction of a voxel inside a ball, from 0 to 1. `offset` is the vector from the center of the ball to
 * that of the voxel, in mm.
 */
const shareInside = (offset: Vector, radius: number, { spacing }: VoxelGrid): number => {
  const distance = Math.hypot(...offset);
  const reach = Math.hypot(...spacing) / 2;
  if (distance + reach <= radius) return 1;
  if (distance - reach >= radius) return 0;
  const steps = Array.from({ length: samples }, (_, step) => (step + 0.5) / samples - 0.5);
  let inside = 0;
  for (const x of steps) {
    for (const y of steps) {
      for (const z of steps) {
        const point = [offset[0] + x * spacing[0], offset[1] + y * spacing[1], offset[2] + z * spacing[2]] as const;
        if (Math.hypot(...point) <= radius) inside += 1;
      }
    }
  }
  return inside / samples ** 3;
};

type Place = { i: number; j: number; k: number };
type Part = Place & { share: number; isMiddleInside: boolean };

/** Yields the voxels that a ball touches, also outside the grid. `center` is in voxels, with fractions. */
function* touched(centre: Vector, radius: number, grid: VoxelGrid): Generator<Part> {
  const { spacing } = grid;
  const range = (axis: 0 | 1 | 2) => {
    const reach = radius / spacing[axis] + 0.5;
    return [Math.ceil(centre[axis] - reach), Math.floor(centre[axis] + reach)] as const;
  };
  const [[i0, i1], [j0, j1], [k0, k1]] = [range(0), range(1), range(2)];
  for (let k = k0; k <= k1; k += 1) {
    for (let j = j0; j <= j1; j += 1) {
      for (let i = i0; i <= i1; i += 1) {
        const offset = [
          (i - centre[0]) * spacing[0],
          (j - centre[1]) * spacing[1],
          (k - centre[2]) * spacing[2],
        ] as const;
        const share = shareInside(offset, radius, grid);
        if (share > 0) yield { i, j, k, share, isMiddleInside: Math.hypot(...offset) <= radius };
      }
    }
  }
}

const isIn = ({ dimensions: [columns, rows, slices] }: VoxelGrid, { i, j, k }: Place): boolean =>
  i >= 0 && j >= 0 && k >= 0 && i < columns && j < rows && k < slices;

/**
 * Returns mean, maximum and volume of a ball. For mean and volume, a voxel at the surface counts by its fraction
 * inside. The maximum uses voxels whose center is inside, or else the voxel at the center of the ball. Undefined if the
 * ball is partly outside the volume, because all values would lack that part.
 */
export const statisticsOf = (grid: VoxelGrid, { center, radius }: Sphere): SphereStatistics | undefined => {
  const middle = indexOf(grid, center);
  let [sum, weight, max] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const part of touched(middle, radius, grid)) {
    if (!isIn(grid, part)) return undefined;
    const value = grid.at(part.i, part.j, part.k);
    sum += value * part.share;
    weight += part.share;
    if (part.isMiddleInside) max = Math.max(max, value);
  }
  if (weight === 0 || !Number.isFinite(sum)) return undefined;
  const [i, j, k] = middle.map(Math.round);
  if (max === Number.NEGATIVE_INFINITY) max = grid.at(i ?? 0, j ?? 0, k ?? 0);
  return { mean: sum / weight, max, volume: weight * voxelVolume(grid) };
};

/**
 * Returns the peak: the highest mean of a ball of 1 cm³ centered on a voxel of the region or on the center of the
 * region. This ball may extend beyond the region (Wahl et al., PERCIST 1.0, J Nucl Med 2009;50 Suppl 1:122S). Voxels at
 * its surface count by their fraction inside. Undefined if no such ball lies in the volume.
 */
export const peakOf = (grid: VoxelGrid, { center, radius }: Sphere): number | undefined => {
  const middle = indexOf(grid, center);
  const ball = [...touched([0, 0, 0], peakRadius, grid)];
  const weight = ball.reduce((sum, { share }) => sum + share, 0);
  const reach = {
    i: Math.max(...ball.map(({ i }) => i)),
    j: Math.max(...ball.map(({ j }) => j)),
    k: Math.max(...ball.map(({ k }) => k)),
  };
  const meanAround = ({ i, j, k }: Place): number | undefined => {
    // The ball is symmetric, so it reaches equally far in both directions.
    const [low, high] = [
      { i: i - reach.i, j: j - reach.j, k: k - reach.k },
      { i: i + reach.i, j: j + reach.j, k: k + reach.k },
    ];
    if (!isIn(grid, low) || !isIn(grid, high)) return undefined;
    let sum = 0;
    for (const part of ball) sum += grid.at(i + part.i, j + part.j, k + part.k) * part.share;
    return sum / weight;
  };
  const own = statisticsOf(grid, { center, radius: peakRadius })?.mean;
  const means = [own].filter((mean) => mean !== undefined);
  for (const part of touched(middle, radius, grid)) {
    const mean = part.isMiddleInside && isIn(grid, part) ? meanAround(part) : undefined;
    if (mean !== undefined && Number.isFinite(mean)) means.push(mean);
  }
  return means.length > 0 ? means.reduce((most, mean) => Math.max(most, mean), Number.NEGATIVE_INFINITY) : undefined;
};
