import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { depthOf, type ImagePlane, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { type PlainGray, plainGrayOf } from '#reading/viewer/images/gray/plain-gray.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { Orientation } from '#reading/viewer/volumes/plane-viewport.tsx';
import { volumeFitness } from '#reading/viewer/volumes/volume-fitness.ts';

/** The plane that shows an acquired image as it is, when MPR opens. */
export type FirstPlaneView = {
  orientation: Orientation;
  image: SeriesImage;
  plane: ImagePlane;
  gray: PlainGray;
  range: GrayRange;
};

/** Directions of the screen in each plane: to the right, and down. */
const directions: Record<Orientation, readonly [right: Vector, down: Vector]> = {
  axial: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  sagittal: [
    [0, 1, 0],
    [0, 0, -1],
  ],
  coronal: [
    [1, 0, 0],
    [0, 0, -1],
  ],
};

/** Tolerance of the components of a direction. Larger differences would be visible as a jump. */
const sameDirection = 1e-4;

const isAlike = (one: Vector, other: Vector): boolean =>
  one.every((part, axis) => Math.abs(part - (other[axis] ?? 0)) < sameDirection);

const orientationOf = ({ along, down }: ImagePlane): Orientation | undefined =>
  (['axial', 'sagittal', 'coronal'] as const).find(
    (name) => isAlike(along, directions[name][0]) && isAlike(down, directions[name][1]),
  );

/** Whether a notice above the planes will move them. */
const hasNotice = ({ patient, identity }: StudyDetails, images: readonly SeriesImage[]): boolean =>
  identity !== null || images.some(({ header }) => !['', patient.patientId].includes(textOf(header, tag.PatientID)));

/** Whether the address names a measurement, which the planes will show instead. */
const namesMeasurement = (): boolean => new URLSearchParams(window.location.search).has('measurement');

/**
 * Returns the image that MPR shows first, if it can be drawn without the imaging library: the middle slice, as the
 * library opens it. Undefined for series that cannot form a volume, for directions other than those of the screen, and
 * for images that need more than a window.
 */
export const firstPlaneOf = (study: StudyDetails, images: readonly SeriesImage[]): FirstPlaneView | undefined => {
  if (!volumeFitness(images).isFit || hasNotice(study, images) || namesMeasurement()) return undefined;
  const depth = ({ plane }: SeriesImage) => (plane ? depthOf(plane) : 0);
  const image = images.toSorted((one, other) => depth(one) - depth(other))[Math.floor(images.length / 2)];
  const gray = image && plainGrayOf(image.header);
  const orientation = image?.plane && orientationOf(image.plane);
  if (!image?.plane || !gray || !orientation) return undefined;
  return { orientation, image, plane: image.plane, gray, range: gray.range };
};
