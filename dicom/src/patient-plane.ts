import type { DicomJson } from './dataset.ts';
import { ofFrame } from './frame-position.ts';

/** Plane of an image in the patient. */
export type PatientPlane = 'axial' | 'sagittal' | 'coronal';

/** Planes by the axis of the patient that they cut: to the left, posterior, superior (PS3.3 §C.7.6.2.1.1). */
const planeAcross: readonly PatientPlane[] = ['sagittal', 'coronal', 'axial'];

/**
 * Cosine of the largest angle between the normal of an image and an axis of the patient. The gantry of a CT tilts by at
 * most 30 degrees. Images between two planes are oblique.
 */
const smallestCosine = Math.cos((35 * Math.PI) / 180);

/**
 * Returns the plane of an image from its orientation, the cosines of its rows and columns (PS3.3 §C.7.6.2.1.1).
 * Undefined for an oblique image, and for values that are no orientation.
 */
export const patientPlane = (orientation: readonly number[]): PatientPlane | undefined => {
  const [rowX = NaN, rowY = NaN, rowZ = NaN, columnX = NaN, columnY = NaN, columnZ = NaN] = orientation;
  const normal = [rowY * columnZ - rowZ * columnY, rowZ * columnX - rowX * columnZ, rowX * columnY - rowY * columnX];
  // Rows and columns of length 1 at a right angle have a normal of length 1. Some devices round the values.
  const length = Math.hypot(...normal);
  if (!(Math.abs(length - 1) < 0.05)) return undefined;
  const axis = normal.findIndex((part) => Math.abs(part) >= smallestCosine * length);
  return planeAcross[axis];
};

/**
 * Returns the plane of an instance. A multi-frame instance has its orientation in the shared functional groups, or in
 * those of each frame, of which the first counts (PS3.3 §C.7.6.16.2.4).
 */
export const planeOfInstance = (dataset: DicomJson): PatientPlane | undefined =>
  patientPlane(ofFrame(dataset, 1, 'PlaneOrientationSequence', 'ImageOrientationPatient'));
