import { type DicomJson, itemsOf, numbersOf, type Tag, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { tomographySlice } from './tomography-plane.ts';

/** Point or direction in the patient: mm to the left, posterior and superior (PS3.3 §C.7.6.2.1.1). */
export type Vector = readonly [left: number, posterior: number, superior: number];

/** Plane of an image: position of its first pixel, and the directions of its rows and columns. */
export type ImagePlane = { position: Vector; along: Vector; down: Vector };

export const dot = (one: Vector, other: Vector): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

export const cross = (one: Vector, other: Vector): Vector => [
  one[1] * other[2] - one[2] * other[1],
  one[2] * other[0] - one[0] * other[2],
  one[0] * other[1] - one[1] * other[0],
];

/** Returns the vector from one point to another. */
export const between = (start: Vector, end: Vector): Vector => [
  end[0] - start[0],
  end[1] - start[1],
  end[2] - start[2],
];

export const plus = (one: Vector, other: Vector): Vector => [one[0] + other[0], one[1] + other[1], one[2] + other[2]];

export const times = (vector: Vector, factor: number): Vector => [
  vector[0] * factor,
  vector[1] * factor,
  vector[2] * factor,
];

/** Rotates a direction about an axis of length 1, by an angle in radians (Rodrigues). */
export const turned = (direction: Vector, axis: Vector, angle: number): Vector =>
  plus(
    plus(times(direction, Math.cos(angle)), times(cross(axis, direction), Math.sin(angle))),
    times(axis, dot(axis, direction) * (1 - Math.cos(angle))),
  );

/** Returns the direction from one slice of a stack to the next. */
export const normalOf = ({ along, down }: ImagePlane): Vector => cross(along, down);

/** Returns the distance of an image from the origin of the frame of reference along the image normal, in mm. */
export const depthOf = (plane: ImagePlane): number => dot(plane.position, normalOf(plane));

const vectorOf = ([left, posterior, superior]: number[]): Vector | undefined =>
  left === undefined || posterior === undefined || superior === undefined ? undefined : [left, posterior, superior];

/**
 * Returns the values of an attribute for one frame (from 1). Multi-frame images store them in an item of `group`, per
 * frame or shared (PS3.3 §C.7.6.16). Other images store them at the top level. Empty if missing.
 */
export const numbersOfFrame = (header: DicomJson, frame: number, group: Tag, attribute: Tag): number[] => {
  const ofFrame = itemsOf(header, tag.PerFrameFunctionalGroupsSequence)[frame - 1] ?? {};
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  return (
    [...itemsOf(ofFrame, group), ...itemsOf(shared, group), header]
      .map((item) => numbersOf(item, attribute))
      .find((numbers) => numbers.length > 0) ?? []
  );
};

/** Largest rounding difference between two values for the same position, in mm. */
const sameNumber = 1e-3;

const isAxial = ({ along, down }: ImagePlane): boolean =>
  [...along, ...down].every((part, index) => Math.abs(part - (index === 0 || index === 4 ? 1 : 0)) < sameNumber);

/**
 * Whether the offsets of a dose are absolute heights. This is the case if the frames are axial and the first offset
 * equals the height of the first frame.
 */
const areHeights = (first: ImagePlane, start: number): boolean =>
  isAxial(first) && Math.abs(start - first.position[2]) < sameNumber;

/**
 * Returns the plane of a later frame of a dose. The header gives only the position of the first frame, and a distance
 * or height for each frame (PS3.3 §C.8.8.3.2). Undefined if the offsets are neither distances nor heights.
 */
const offsetPlane = (first: ImagePlane, offsets: readonly number[], frame: number): ImagePlane | undefined => {
  const [start, offset] = [offsets[0], offsets[frame - 1]];
  if (start === undefined || offset === undefined) return undefined;
  if (!areHeights(first, start) && start !== 0) return undefined;
  return { ...first, position: plus(first.position, times(normalOf(first), offset - start)) };
};

const planeAt = (position: number[], orientation: number[]): ImagePlane | undefined => {
  const [first, along, down] = [position, orientation.slice(0, 3), orientation.slice(3)].map(vectorOf);
  return first && along && down && { position: first, along, down };
};

/** Returns the plane of a frame of a tomography whose position is given only by the detector. */
const detectedPlane = (header: DicomJson, frame: number): ImagePlane | undefined => {
  const slice = tomographySlice(header, frame);
  const first = slice && planeAt(slice.position, slice.orientation);
  return first && { ...first, position: plus(first.position, times(normalOf(first), slice.behind)) };
};

/** Returns the plane of one frame (from 1). Undefined if the header gives no position in the patient. */
export const planeOf = (header: DicomJson, frame: number): ImagePlane | undefined => {
  const position = numbersOfFrame(header, frame, tag.PlanePositionSequence, tag.ImagePositionPatient);
  const orientation = numbersOfFrame(header, frame, tag.PlaneOrientationSequence, tag.ImageOrientationPatient);
  if (position.length === 0 && orientation.length === 0) return detectedPlane(header, frame);
  const plane = planeAt(position, orientation);
  if (!plane) return undefined;
  const offsets = numbersOf(header, tag.GridFrameOffsetVector);
  return frame === 1 || offsets.length === 0 ? plane : offsetPlane(plane, offsets, frame);
};

/**
 * Replaces absolute heights in a dose header by offsets from the first frame. The imaging library recognizes heights
 * only if the first height and the position are written with the same digits. Otherwise it draws all frames at one
 * position.
 */
export const withOffsetsFromFirst = (header: DicomJson): DicomJson => {
  const offsets = numbersOf(header, tag.GridFrameOffsetVector);
  const [start] = offsets;
  const plane = start === undefined ? undefined : planeOf(header, 1);
  if (start === undefined || !plane || !areHeights(plane, start)) return header;
  return { ...header, [tag.GridFrameOffsetVector]: { vr: 'DS', Value: offsets.map((offset) => offset - start) } };
};
