import { type DicomJson, itemsOf, numberOf, valuesOf } from './dataset.ts';

export type Point = readonly [number, number, number];

/** The place of a frame: its first pixel, and the directions of rising columns and rows. */
export type FramePosition = { position: Point; along: Point; down: Point };

export const numbersOf = (json: DicomJson, keyword: string): number[] => valuesOf(json, keyword).map(Number);

export const dot = (one: Point, other: Point): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

export const cross = (one: Point, other: Point): Point => [
  one[1] * other[2] - one[2] * other[1],
  one[2] * other[0] - one[0] * other[2],
  one[0] * other[1] - one[1] * other[0],
];

const pointOf = ([x, y, z]: readonly number[]): Point | undefined =>
  x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];

type Directions = Pick<FramePosition, 'along' | 'down'>;

const directionsOf = (orientation: readonly number[]): Directions | undefined => {
  const [along, down] = [pointOf(orientation.slice(0, 3)), pointOf(orientation.slice(3))];
  return along && down && { along, down };
};

const ofItsOwn: Directions = { along: [1, 0, 0], down: [0, 1, 0] };

/** Moves a position along the normal of its plane. */
const behind = (position: Point, { along, down }: Directions, distance: number): Point => {
  const [x, y, z] = cross(along, down);
  return [position[0] + distance * x, position[1] + distance * y, position[2] + distance * z];
};

const perFrame = 'PerFrameFunctionalGroupsSequence';
const shared = 'SharedFunctionalGroupsSequence';

/**
 * The values of an attribute of one frame in its functional groups: its own, else those shared by all frames (PS3.3
 * §C.7.6.16).
 */
const inGroups = (header: DicomJson, frame: number, group: string, keyword: string): number[] => {
  const groups = [itemsOf(header, perFrame)[frame - 1], itemsOf(header, shared)[0]];
  const items = groups.flatMap((one) => (one ? itemsOf(one, group) : []));
  return items.map((item) => numbersOf(item, keyword)).find((numbers) => numbers.length > 0) ?? [];
};

/** The values of an attribute of one frame, else of the whole image. */
export const ofFrame = (header: DicomJson, frame: number, group: string, keyword: string): number[] => {
  const numbers = inGroups(header, frame, group, keyword);
  return numbers.length > 0 ? numbers : numbersOf(header, keyword);
};

/** Tolerance in mm between two numbers for the same place. */
const sameNumber = 1e-3;

const isAxial = ({ along, down }: Directions): boolean =>
  [...along, ...down].every((part, index) => Math.abs(part - (index === 0 || index === 4 ? 1 : 0)) < sameNumber);

/**
 * The position of a dose frame. The file has the position of the first frame, and a distance or height for each frame
 * (PS3.3 §C.8.8.3.2).
 */
const offsetPosition = (header: DicomJson, frame: number, first: Point, directions: Directions): Point => {
  const offsets = numbersOf(header, 'GridFrameOffsetVector');
  const [start, offset] = [offsets[0], offsets[frame - 1]];
  if (start === undefined || offset === undefined) return first;
  const areHeights = isAxial(directions) && Math.abs(start - first[2]) < sameNumber;
  return areHeights || start === 0 ? behind(first, directions, offset - start) : first;
};

/**
 * The position and directions of a frame. Uses the detector (PS3.3 §C.8.4.11), else functional groups, else the whole
 * image.
 */
const groupedPlace = (header: DicomJson, frame: number, detector: DicomJson): FramePosition => {
  const imagePosition = pointOf(numbersOf(header, 'ImagePositionPatient'));
  const ofAll = [header, detector]
    .map((one) => directionsOf(numbersOf(one, 'ImageOrientationPatient')))
    .find((one) => one !== undefined);
  const first = imagePosition ? undefined : pointOf(numbersOf(detector, 'ImagePositionPatient'));
  const distance = numberOf(header, 'SpacingBetweenSlices');
  const detected = first && ofAll && distance ? behind(first, ofAll, distance * (frame - 1)) : undefined;
  const own = pointOf(inGroups(header, frame, 'PlanePositionSequence', 'ImagePositionPatient'));
  const directions = directionsOf(inGroups(header, frame, 'PlaneOrientationSequence', 'ImageOrientationPatient'));
  return { position: detected ?? own ?? imagePosition ?? [0, 0, frame], ...(directions ?? ofAll ?? ofItsOwn) };
};

/** Whether the viewer uses the position of a detector (web/src/reading/viewer/images/header/usable-detector.ts). */
const isUsable = (header: DicomJson, detector: DicomJson): boolean =>
  numbersOf(detector, 'ImagePositionPatient').length === 3 || !numberOf(header, 'SpacingBetweenSlices');

/**
 * The place where the viewer puts a frame (from 1). It is the place in the patient if the header has one. Otherwise the
 * viewer's library stacks the frames of some images, and overlays the frames of other images.
 */
export const positionOfFrame = (header: DicomJson, frame: number): FramePosition => {
  const position = pointOf(ofFrame(header, frame, 'PlanePositionSequence', 'ImagePositionPatient'));
  const directions = directionsOf(ofFrame(header, frame, 'PlaneOrientationSequence', 'ImageOrientationPatient'));
  const plain = { position: position ?? ([0, 0, 0] as const), ...(directions ?? ofItsOwn) };
  if ((numberOf(header, 'NumberOfFrames') ?? 1) < 2) return plain;
  const [detector] = itemsOf(header, 'DetectorInformationSequence');
  const hasPosition = ['ImagePositionPatient', 'ImageOrientationPatient'].every(
    (keyword) => valuesOf(header, keyword).length > 0,
  );
  const isDetected = detector !== undefined && !hasPosition && isUsable(header, detector);
  const hasGroups = [perFrame, shared].some((keyword) => itemsOf(header, keyword).length > 0);
  if (hasGroups || isDetected) return groupedPlace(header, frame, isDetected ? detector : {});
  return position && directions ? { ...plain, position: offsetPosition(header, frame, position, directions) } : plain;
};
