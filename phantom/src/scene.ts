import type { Plane, Point } from './geometry.ts';
import { paint, substanceAt, type Shape } from './painter.ts';
import { addNoise, soften, type Noise } from './texture.ts';

/**
 * A body in the values of one modality. The inserts cover the anatomy and have no noise, so that tests can check a
 * single pixel at the center of an insert.
 */
export type Scene = { background: number; anatomy: readonly Shape<number>[]; inserts: readonly Shape<number>[] };

/** The noisy image of a plane, row by row. The same seed gives the same image. */
export const imageOf = (scene: Scene, plane: Plane, noise: Noise, seed: string): Float32Array => {
  const image = new Float32Array(plane.rows * plane.columns).fill(scene.background);
  paint(image, plane, scene.anatomy);
  addNoise(image, plane.columns, noise, seed);
  paint(image, plane, scene.inserts);
  soften(image, plane.columns);
  return image;
};

/** The value at a point of the patient, before noise and blur. */
export const valueAt = ({ background, anatomy, inserts }: Scene, point: Point): number =>
  substanceAt([...anatomy, ...inserts], point, background);
