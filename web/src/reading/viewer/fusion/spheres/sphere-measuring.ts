import type { MeasuredValue } from '@radwork/contract/reading/measurements';
import { between, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Drawing } from '#reading/viewer/measuring/drawn-annotation.ts';
import { type DrawnInVolume, drawnPlane } from '#reading/viewer/measuring/drawn-in-volumes.ts';
import { peakOf, type Sphere, statisticsOf } from './suv-sphere.ts';
import type { VoxelGrid } from '#reading/viewer/fusion/pet/voxel-grid.ts';

/** Stored sphere, with the measurement that contains it. */
export type StoredSphere = DrawnInVolume & { sphere: Sphere };

/** PET in which to measure, with its frame of reference. */
export type Measured = { grid: VoxelGrid; unit: string; seriesInstanceUID: string; frameOfReferenceUID: string };

/**
 * Returns mean, maximum and peak in the unit of the PET, and the volume. Empty if the sphere extends beyond the loaded
 * voxels.
 */
export const valuesIn = ({ grid, unit }: Measured, sphere: Sphere): MeasuredValue[] => {
  const statistics = statisticsOf(grid, sphere);
  if (!statistics) return [];
  const peak = peakOf(grid, sphere);
  return [
    { quantity: 'MEAN', value: statistics.mean, unit },
    { quantity: 'MAXIMUM', value: statistics.max, unit },
    ...(peak === undefined ? [] : [{ quantity: 'PEAK' as const, value: peak, unit }]),
    { quantity: 'VOLUME', value: statistics.volume, unit: 'ml' },
  ];
};

type ViewDirections = { right: Vector; down: Vector; normal: Vector };

/** Converts a sphere to a measurement: its center, a point on its surface, and the plane on which it was drawn. */
export const drawnSphere = (
  measured: Measured,
  { center, radius }: Sphere,
  { right, down, normal }: ViewDirections,
): Drawing => ({
  tool: 'SPHERE',
  seriesInstanceUID: measured.seriesInstanceUID,
  sopInstanceUID: null,
  frame: null,
  frameOfReferenceUID: measured.frameOfReferenceUID,
  points: [
    [center[0], center[1], center[2]],
    [center[0] + radius * right[0], center[1] + radius * right[1], center[2] + radius * right[2]],
  ],
  plane: drawnPlane(normal, [-down[0], -down[1], -down[2]]),
  label: '',
  values: valuesIn(measured, { center, radius }),
});

const sphereOf = ({ points: [center, edge] }: Drawing): Sphere | undefined =>
  center && edge && { center, radius: Math.hypot(...between(center, edge)) };

/** Returns the spheres that were drawn on this PET. */
export const spheresOn = (seriesInstanceUID: string, all: readonly DrawnInVolume[]): StoredSphere[] =>
  all.flatMap((one) => {
    const isHere = one.drawn.tool === 'SPHERE' && one.drawn.seriesInstanceUID === seriesInstanceUID;
    const sphere = isHere ? sphereOf(one.drawn) : undefined;
    return sphere ? [{ ...one, sphere }] : [];
  });
