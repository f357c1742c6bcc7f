import type { Point } from './geometry.ts';
import { head, type HeadTissue } from './head.ts';
import { withValues, sphere } from './painter.ts';
import type { Scene } from './scene.ts';

export type Weighting = 'T1' | 'T2' | 'FLAIR';

/** The signal of each tissue for each MR weighting, in arbitrary units. */
export const signal: Readonly<Record<Weighting, Readonly<Record<HeadTissue, number>>>> = {
  T1: {
    air: 0,
    fat: 1500,
    'cortical bone': 60,
    marrow: 900,
    muscle: 520,
    fluid: 180,
    'grey matter': 620,
    'white matter': 900,
  },
  T2: {
    air: 0,
    fat: 1050,
    'cortical bone': 50,
    marrow: 600,
    muscle: 300,
    fluid: 1750,
    'grey matter': 820,
    'white matter': 560,
  },
  FLAIR: {
    air: 0,
    fat: 1150,
    'cortical bone': 50,
    marrow: 640,
    muscle: 340,
    fluid: 130,
    'grey matter': 900,
    'white matter': 700,
  },
};

/** The spheres in the head, with their signal for each MR weighting in arbitrary units. Lengths in mm. */
export const headSpheres: readonly {
  name: string;
  centre: Point;
  radius: number;
  signal: Record<Weighting, number>;
}[] = [
  { name: 'left frontal tumour', centre: [36, -44, 44], radius: 12, signal: { T1: 420, T2: 1400, FLAIR: 1650 } },
  { name: 'right cerebellar cyst', centre: [-24, 52, -36], radius: 8, signal: { T1: 150, T2: 1850, FLAIR: 110 } },
  { name: 'right parietal lipoma', centre: [-34, 34, 50], radius: 7, signal: { T1: 1700, T2: 1250, FLAIR: 1350 } },
];

/** The head for the three weightings. Folding the brain takes time, so call this once and keep the result. */
export const headScenes = (): Record<Weighting, Scene> => {
  const shapes = head();
  const sceneIn = (weighting: Weighting): Scene => ({
    background: signal[weighting].air,
    anatomy: withValues(shapes, signal[weighting]),
    inserts: headSpheres.map((known) => sphere(known.signal[weighting], known.centre, known.radius)),
  });
  return { T1: sceneIn('T1'), T2: sceneIn('T2'), FLAIR: sceneIn('FLAIR') };
};
