import type { MeasuredValue } from '@radwork/contract/measurements';
import { between, type Vector } from '#viewer/images/image-plane.ts';
import type { Drawn } from '#viewer/measuring/drawn-annotation.ts';
import { type DrawnInVolume, drawnPlane } from '#viewer/measuring/drawn-in-volumes.ts';
import { peakOf, type Sphere, statisticsOf } from './suv-sphere.ts';
import type { VoxelGrid } from './voxel-grid.ts';

/** A sphere as it is kept and drawn. */
export type KeptSphere = DrawnInVolume & { sphere: Sphere };

/** What a sphere is measured in: the PET and the frame of reference it is placed in. */
export type Measured = { grid: VoxelGrid; unit: string; seriesInstanceUID: string; frameOfReferenceUID: string };

/** Mean, maximum and peak in the unit of the PET, and the volume; none where the sphere reaches beyond what is loaded. */
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

type Looked = { right: Vector; down: Vector; normal: Vector };

/** A sphere as the server keeps it: its middle and a point on it, seen on the plane on which it was drawn. */
export const drawnSphere = (
  measured: Measured,
  { centre, radius }: Sphere,
  { right, down, normal }: Looked,
): Drawn => ({
  tool: 'SPHERE',
  seriesInstanceUID: measured.seriesInstanceUID,
  sopInstanceUID: null,
  frame: null,
  frameOfReferenceUID: measured.frameOfReferenceUID,
  points: [
    [centre[0], centre[1], centre[2]],
    [centre[0] + radius * right[0], centre[1] + radius * right[1], centre[2] + radius * right[2]],
  ],
  plane: drawnPlane(normal, [-down[0], -down[1], -down[2]]),
  label: '',
  values: valuesIn(measured, { centre, radius }),
});

const sphereOf = ({ points: [centre, edge] }: Drawn): Sphere | undefined =>
  centre && edge && { centre, radius: Math.hypot(...between(centre, edge)) };

/** The spheres among what is measured that were drawn on this PET. */
export const spheresOn = (seriesInstanceUID: string, all: readonly DrawnInVolume[]): KeptSphere[] =>
  all.flatMap((one) => {
    const isHere = one.drawn.tool === 'SPHERE' && one.drawn.seriesInstanceUID === seriesInstanceUID;
    const sphere = isHere ? sphereOf(one.drawn) : undefined;
    return sphere ? [{ ...one, sphere }] : [];
  });
