import type { Types } from '@cornerstonejs/core';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';

/** Converts a patient position to the point type of the imaging library. */
export const point3 = ([left, posterior, superior]: Vector): Types.Point3 => [left, posterior, superior];
