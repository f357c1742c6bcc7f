import type { MeasurementTool } from '@radwork/contract/reading/measurements';
import { between, cross, dot, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

/** Tools that enclose an area. */
const regions: ReadonlySet<MeasurementTool> = new Set(['ELLIPSE', 'RECTANGLE', 'FREEHAND']);

const longest = (directions: readonly Vector[]): Vector | undefined =>
  directions.toSorted((one, other) => dot(other, other) - dot(one, one))[0];

/**
 * Returns the unit normal of a region, computed from the largest triangle that has the first point as a corner.
 * Undefined if the points enclose no area.
 */
export const regionNormal = (tool: MeasurementTool, [first, ...others]: readonly Vector[]): Vector | undefined => {
  if (!regions.has(tool) || !first) return undefined;
  const directions = others.map((point) => between(first, point));
  const far = longest(directions);
  const normal = far && longest(directions.map((way) => cross(far, way)));
  const length = normal ? Math.hypot(...normal) : 0;
  return normal && length > 0 ? times(normal, 1 / length) : undefined;
};
