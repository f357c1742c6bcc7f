import type { PriorMeasurement } from '@radwork/contract/reading/lesions';
import { depthOf, dot, normalOf, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type SeriesImage, sopInstanceOf } from '#reading/viewer/images/series/series-loader.ts';

/**
 * How a place was found. POSITION: by the position in the patient, in the same frame of reference. FRACTION: at the same
 * part of the stack, because the frames of reference differ.
 */
export type PlaceFound = { image: SeriesImage; by: 'POSITION' | 'FRACTION' };

const middleOf = (points: readonly (readonly [number, number, number])[]): Vector => {
  const sum = points.reduce<[number, number, number]>(
    ([x, y, z], [left, posterior, superior]) => [x + left, y + posterior, z + superior],
    [0, 0, 0],
  );
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
};

const frameOfReferenceOf = ({ header }: SeriesImage): string => textOf(header, tag.FrameOfReferenceUID);

/** Greatest distance in mm between a lesion and the nearest slice. Beyond it, the series does not show the place. */
const farthest = 10;

/** Returns the image of a series that shows the position of a measurement. Undefined in another frame of reference. */
const byPosition = (images: readonly SeriesImage[], prior: PriorMeasurement): SeriesImage | undefined => {
  if (prior.frameOfReferenceUID === null) return undefined;
  const middle = middleOf(prior.points);
  const near = images
    .filter((image) => image.plane && frameOfReferenceOf(image) === prior.frameOfReferenceUID)
    .map((image) => ({ image, distance: image.plane ? distanceTo(image.plane, middle) : Infinity }))
    .filter(({ distance }) => distance <= farthest);
  return near.toSorted((one, other) => one.distance - other.distance)[0]?.image;
};

const distanceTo = (plane: NonNullable<SeriesImage['plane']>, point: Vector): number =>
  Math.abs(dot(point, normalOf(plane)) - depthOf(plane));

/**
 * Returns the image at the same part of the stack: the first and the last slice correspond. The stacks may run in
 * opposite directions.
 */
const byFraction = (
  images: readonly SeriesImage[],
  priorImages: readonly SeriesImage[],
  prior: PriorMeasurement,
): SeriesImage | undefined => {
  const at = priorImages.findIndex(
    ({ imageId, frame }) => sopInstanceOf(imageId) === prior.sopInstanceUID && frame === prior.frame,
  );
  if (at === -1 || images.length === 0) return undefined;
  const fraction = priorImages.length > 1 ? at / (priorImages.length - 1) : 0;
  const isOpposite = directionOf(images) * directionOf(priorImages) < 0;
  return images[Math.round((isOpposite ? 1 - fraction : fraction) * (images.length - 1))];
};

/** Returns the sign of the direction of a stack along the axis on which its positions differ most; 0 if unknown. */
const directionOf = (images: readonly SeriesImage[]): number => {
  const [first, last] = [images[0]?.plane?.position, images.at(-1)?.plane?.position];
  if (!first || !last) return 0;
  const steps = [last[0] - first[0], last[1] - first[1], last[2] - first[2]];
  return steps.reduce((longest, step) => (Math.abs(step) > Math.abs(longest) ? step : longest), 0);
};

/** Finds the place of a measurement of a prior in a series of the current study. */
export const placeInSeries = (
  images: readonly SeriesImage[],
  priorImages: readonly SeriesImage[],
  prior: PriorMeasurement,
): PlaceFound | undefined => {
  const positioned = byPosition(images, prior);
  if (positioned) return { image: positioned, by: 'POSITION' };
  const image = byFraction(images, priorImages, prior);
  return image && { image, by: 'FRACTION' };
};
