import type { Point } from './geometry.ts';
import { endless, tube, type Radius, type Shape } from './painter.ts';

/** Seconds of one heart beat. */
export const heartbeat = 1;

/** Velocities of blood filling the left ventricle (cm/s): early in diastole, and during atrial contraction. */
export const inflowPeaks = { early: { phase: 0.5, velocity: 90 }, atrial: { phase: 0.88, velocity: 60 } } as const;

/** Blood velocity through the mitral valve at a phase of the beat (0 to 1), in cm/s toward the probe. */
export const inflowAt = (phase: number): number => {
  const { early, atrial } = inflowPeaks;
  return (
    early.velocity * Math.exp(-(((phase - early.phase) / 0.07) ** 2)) +
    atrial.velocity * Math.exp(-(((phase - atrial.phase) / 0.05) ** 2))
  );
};

/** Contraction of the chambers at a phase of the beat, from 0 at rest to 1. */
const contractionAt = (phase: number): number => (phase < 0.55 ? Math.sin((Math.PI * phase) / 0.55) ** 2 : 0);

type Echo = Shape<number>;
/** Millimeters in the scan plane: to the right of the image, and away from the probe. */
type Place = readonly [right: number, depth: number];

const pointAt = ([right, depth]: Place): Point => [right, depth, 0];
const oval = (echo: number, center: Place, radii: readonly [number, number]): Echo => ({
  substance: echo,
  centre: pointAt(center),
  radii: [...radii, endless],
});
const strand = (echo: number, radius: Radius, ...places: readonly Place[]): Echo[] =>
  tube(echo, radius, ...places.map(pointAt));

/** Two valve leaflets between the walls, closed or open. */
const valve = (isOpen: boolean, [left, right]: readonly [number, number], depth: number): Echo[] => {
  const middle = (left + right) / 2;
  const lift = isOpen ? 17 : 4;
  const gap = isOpen ? (right - left) / 3 : 0;
  return [
    ...strand(190, [1.5, 1], [left, depth], [middle - gap, depth - lift]),
    ...strand(190, [1.5, 1], [right, depth], [middle + gap, depth - lift]),
  ];
};

/** The apical view of the four chambers, with echo brightness. The left chambers are on the right. */
export const fourChambers = (phase: number): Echo[] => {
  const contraction = contractionAt(phase);
  const squeeze = 1 - 0.28 * contraction;
  const isFilling = inflowAt(phase) > 15;
  return [
    oval(150, [2, 80], [53, 70]),
    oval(80, [2, 80], [50, 67]),
    ...strand(4, [9 * squeeze, 17 * squeeze], [8, 30], [22, 66], [22, 90]),
    ...strand(4, [7 * squeeze, 13 * squeeze], [-14, 44], [-22, 72], [-21, 90]),
    oval(4, [22, 118], [16 + 2 * contraction, 17 + 3 * contraction]),
    oval(4, [-21, 117], [16 + 2 * contraction, 16 + 3 * contraction]),
    ...strand(110, 1.5, [1, 100], [0, 134]),
    ...valve(isFilling, [4, 40], 101),
    ...valve(isFilling, [-38, -5], 97),
  ];
};

/** Moving blood in cm/s, positive toward the probe: in through the mitral valve, out into the aorta. */
export const bloodFlow = (phase: number): Echo[] => {
  const filling = inflowAt(phase);
  const contraction = contractionAt(phase);
  return [
    ...(filling > 15 ? strand(filling, [5, 9], [22, 108], [20, 62]) : []),
    ...(contraction > 0.2 ? strand(-80 * contraction, [5, 6], [16, 60], [7, 96]) : []),
  ];
};
