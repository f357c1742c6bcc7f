import type { Plane, Point } from './geometry.ts';
import { paint, substanceAt, type Shape } from './painter.ts';
import { addNoise, soften, type Noise } from './texture.ts';

/**
 * A body in the numbers of one modality. The inserts lie in front of the anatomy and are free of noise,
 * so that a single pixel in the middle of one can be held against the truth.
 */
export type Scene = { background: number; anatomy: readonly Shape<number>[]; inserts: readonly Shape<number>[] };

/** The image of a plane, row by row, as a machine with some noise sees it: the same for the same seed. */
export const imageOf = (scene: Scene, plane: Plane, noise: Noise, seed: string): Float32Array => {
  const image = new Float32Array(plane.rows * plane.columns).fill(scene.background);
  paint(image, plane, scene.anatomy);
  addNoise(image, plane.columns, noise, seed);
  paint(image, plane, scene.inserts);
  soften(image, plane.columns);
  return image;
};

/** The number that stands at a point of the patient, before noise and blur. */
export const valueAt = ({ background, anatomy, inserts }: Scene, point: Point): number =>
  substanceAt([...anatomy, ...inserts], point, background);
