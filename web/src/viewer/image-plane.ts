import { type DicomJson, itemsOf, numbersOf, tag } from './dicom-json.ts';

/** A place in the patient or a direction, in mm towards the left hand, the back and the head (PS3.3 §C.7.6.2.1.1). */
export type Vector = readonly [left: number, posterior: number, superior: number];

/** Where an image lies in the patient: its first pixel and the directions of its rows and columns. */
export type ImagePlane = { position: Vector; along: Vector; down: Vector };

export const dot = (one: Vector, other: Vector): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

export const cross = (one: Vector, other: Vector): Vector => [
  one[1] * other[2] - one[2] * other[1],
  one[2] * other[0] - one[0] * other[2],
  one[0] * other[1] - one[1] * other[0],
];

/** The direction in which the slices of a stack follow each other. */
export const normalOf = ({ along, down }: ImagePlane): Vector => cross(along, down);

/** How far along its own normal an image lies, in mm from the origin of the frame of reference. */
export const depthOf = (plane: ImagePlane): number => dot(plane.position, normalOf(plane));

const vector = ([left, posterior, superior]: number[]): Vector | undefined =>
  left === undefined || posterior === undefined || superior === undefined ? undefined : [left, posterior, superior];

/**
 * The plane of one frame (from 1), undefined when the header does not place it in the patient. Multi-frame images
 * keep it per frame or shared by all of them (PS3.3 §C.7.6.16.2.3, C.7.6.16.2.4), others at the top.
 */
export const planeOf = (header: DicomJson, frame: number): ImagePlane | undefined => {
  const ofFrame = itemsOf(header, tag.PerFrameFunctionalGroupsSequence)[frame - 1] ?? {};
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const find = (sequence: Parameters<typeof itemsOf>[1], attribute: Parameters<typeof numbersOf>[1]) =>
    [...itemsOf(ofFrame, sequence), ...itemsOf(shared, sequence), header]
      .map((item) => numbersOf(item, attribute))
      .find((numbers) => numbers.length > 0) ?? [];

  const position = vector(find(tag.PlanePositionSequence, tag.ImagePositionPatient));
  const orientation = find(tag.PlaneOrientationSequence, tag.ImageOrientationPatient);
  const along = vector(orientation.slice(0, 3));
  const down = vector(orientation.slice(3));
  return position && along && down ? { position, along, down } : undefined;
};
