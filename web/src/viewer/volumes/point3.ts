import type { Types } from '@cornerstonejs/core';
import type { Vector } from '#viewer/images/image-plane.ts';

/** A place in the patient as the library takes it. */
export const point3 = ([left, posterior, superior]: Vector): Types.Point3 => [left, posterior, superior];
