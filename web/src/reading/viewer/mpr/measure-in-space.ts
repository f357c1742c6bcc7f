import type { MeasuredValue, MeasurementTool } from '@radwork/contract/reading/measurements';
import { between, dot, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

const distance = (from: Vector, to: Vector): number => Math.hypot(...between(from, to));

/** Returns the angle at a corner, in degrees. */
const angleAt = (from: Vector, corner: Vector, to: Vector): number => {
  const [one, other] = [between(corner, from), between(corner, to)];
  const cosine = dot(one, other) / (Math.hypot(...one) * Math.hypot(...other));
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI;
};

/**
 * Returns values computed from points in the patient, in mm, mm² and degrees. An ellipse is given by the ends of its
 * axes. Does not use the imaging library, which computes values 0.1 s late and computes areas from the pixel ratio of
 * one plane.
 */
export const measuredInSpace = (tool: MeasurementTool, points: readonly Vector[]): MeasuredValue[] => {
  const [first, second, third, fourth] = points;
  if (tool === 'LENGTH' && first && second) {
    return [{ quantity: 'LENGTH', value: distance(first, second), unit: 'mm' }];
  }
  if (tool === 'ANGLE' && first && second && third) {
    const value = angleAt(first, second, third);
    return Number.isFinite(value) ? [{ quantity: 'ANGLE', value, unit: '°' }] : [];
  }
  if (tool === 'ELLIPSE' && first && second && third && fourth) {
    const value = (Math.PI / 4) * distance(first, second) * distance(third, fourth);
    return [{ quantity: 'AREA', value, unit: 'mm²' }];
  }
  return [];
};
