import type { Point } from './geometry.ts';
import { endless, withValues, sphere, type Shape } from './painter.ts';
import type { Scene } from './scene.ts';
import { table, thorax, type ThoraxTissue } from './thorax.ts';

/** CT values of each tissue after intravenous contrast medium (HU). */
export const hounsfield: Readonly<Record<ThoraxTissue, number>> = {
  table: -130,
  air: -1000,
  lung: -860,
  fat: -100,
  muscle: 50,
  'lung vessel': 90,
  blood: 190,
  'heart muscle': 95,
  liver: 105,
  spleen: 120,
  stomach: 25,
  'cortical bone': 620,
  marrow: 190,
  disc: 85,
  cartilage: 130,
  'spinal canal': 25,
};

/** Tracer uptake of each tissue one hour after FDG (SUV by body weight). */
export const uptake: Readonly<Record<ThoraxTissue, number>> = {
  table: 0,
  air: 0,
  lung: 0.5,
  fat: 0.3,
  muscle: 0.8,
  'lung vessel': 0.9,
  blood: 1.7,
  'heart muscle': 4.6,
  liver: 2.4,
  spleen: 1.9,
  stomach: 1.5,
  'cortical bone': 0.9,
  marrow: 1.6,
  disc: 0.6,
  cartilage: 0.5,
  'spinal canal': 0.7,
};

/** A sphere with known position and size. Lengths in mm. */
export type KnownSphere = { name: string; centre: Point; radius: number };

/** No two spheres mirror each other, so that a mirrored image is visible. */
export const chestSpheres: readonly (KnownSphere & { hounsfield: number; suv: number })[] = [
  { name: 'nodule in the right upper lobe', centre: [-74, -22, 58], radius: 12, hounsfield: 35, suv: 8 },
  { name: 'left hilar node', centre: [40, 2, 22], radius: 12, hounsfield: 45, suv: 5.5 },
  { name: 'liver metastasis', centre: [-44, -40, -98], radius: 14, hounsfield: 70, suv: 9.5 },
  { name: 'liver cyst', centre: [-92, 8, -104], radius: 13, hounsfield: 5, suv: 0.2 },
  { name: 'granuloma in the left lower lobe', centre: [88, 34, -34], radius: 8, hounsfield: 800, suv: 0.5 },
];

/** A rod along the patient through all slices, on the skin over the right breast. */
export const markerRod = { name: 'marker rod', centre: [-118, -112, 0] as const, radius: 4, hounsfield: 1400 };

/** A sphere outside the body, next to the left shoulder, for measurements in every plane. Its diameter is 50 mm. */
export const measuringBall = { name: 'measuring ball', centre: [150, -130, 12] as const, radius: 25, hounsfield: 400 };

const rodShape: Shape<number> = {
  substance: markerRod.hounsfield,
  centre: markerRod.centre,
  radii: [markerRod.radius, markerRod.radius, endless],
};

export const chestInHounsfield: Scene = {
  background: hounsfield.air,
  anatomy: withValues([...table, ...thorax], hounsfield),
  inserts: [
    ...chestSpheres.map((known) => sphere(known.hounsfield, known.centre, known.radius)),
    sphere(measuringBall.hounsfield, measuringBall.centre, measuringBall.radius),
    rodShape,
  ],
};

/** The chest in front of an X-ray detector, without table and rod. */
export const chestUpright: Scene = {
  background: hounsfield.air,
  anatomy: withValues(thorax, hounsfield),
  inserts: chestSpheres.map((known) => sphere(known.hounsfield, known.centre, known.radius)),
};

export const chestInSuv: Scene = {
  background: 0,
  anatomy: withValues(thorax, uptake),
  inserts: chestSpheres.map((known) => sphere(known.suv, known.centre, known.radius)),
};
