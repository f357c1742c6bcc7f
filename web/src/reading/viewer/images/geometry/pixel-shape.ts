import { isProjection } from '@radwork/dicom/projection-classes';
import { type DicomJson, numbersOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { between, dot, type ImagePlane, numbersOfFrame, planeOf, plus, times, type Vector } from './image-plane.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import { regionsOf } from '#reading/viewer/images/header/ultrasound-regions.ts';
import { isSize } from '#reading/viewer/images/header/usable-scale.ts';

/** Height and width of a pixel, relative to its shorter side. */
export type PixelShape = { tall: number; wide: number };

const isPositive = ([tall = 0, wide = 0]: readonly number[]): boolean => tall > 0 && wide > 0;

/** Returns the shape of the pixels of ultrasound tissue (PS3.3 §C.8.5.5). Empty if the regions disagree. */
const shapeInRegions = (header: DicomJson): number[] => {
  const [first, ...others] = regionsOf(header)
    .filter(({ kind, x, y }) => kind === 'tissue' && x.unit === 'cm' && y.unit === 'cm')
    .map(({ x, y }) => ({ tall: Math.abs(y.perPixel), wide: Math.abs(x.perPixel) }));
  if (!first) return [];
  const ratio = first.tall / first.wide;
  return others.every(({ tall, wide }) => Math.abs(tall / wide / ratio - 1) < 0.01) ? [first.tall, first.wide] : [];
};

/**
 * Returns the shape of pixels that are not square and whose size is unknown: their aspect ratio (PS3.3 §C.7.6.3.1.7),
 * as in captured fluoroscopy and old ultrasound, or the scale of ultrasound tissue. The server applies the same rule to
 * its pictures (`pixelShape` in dicom/src/image-grid.ts). The imaging library (5.14.0) uses only pixel sizes.
 */
export const oddShapeOf = (header: DicomJson): PixelShape | undefined => {
  const sizes = [
    numbersOfFrame(header, 1, tag.PixelMeasuresSequence, tag.PixelSpacing),
    isProjection(textOf(header, tag.SOPClassUID)) ? numbersOf(header, tag.ImagerPixelSpacing) : [],
  ];
  if (sizes.some(isSize)) return undefined;
  const [tall = 1, wide = 1] = [numbersOf(header, tag.PixelAspectRatio), shapeInRegions(header)].find(isPositive) ?? [];
  const shorter = Math.min(tall, wide);
  return tall === wide ? undefined : { tall: tall / shorter, wide: wide / shorter };
};

type Known = PixelShape & { plane: ImagePlane };

const known = new Map<string, Known>();

/** Axes of an image without a position. */
const ofItsOwn: ImagePlane = { position: [0, 0, 0], along: [1, 0, 0], down: [0, 1, 0] };

/** Records the shape of the pixels of an image. */
export const learnShape = (imageId: string, header: DicomJson) => {
  const shape = oddShapeOf(header);
  if (shape) known.set(instanceOf(imageId), { ...shape, plane: planeOf(header, 1) ?? ofItsOwn });
};

/** Returns the shape of the pixels of an image that are not square and whose size is unknown. */
export const shapeOfImage = (imageId: string): PixelShape | undefined => known.get(instanceOf(imageId));

/** Stretches the image plane around the first pixel. */
const stretched = (point: Vector, { plane: { position, along, down } }: Known, wide: number, tall: number): Vector => {
  const way = between(position, point);
  return plus(point, plus(times(along, dot(way, along) * (wide - 1)), times(down, dot(way, down) * (tall - 1))));
};

/**
 * Converts a point that the imaging library drew to the coordinates in which measurements are saved: without a pixel
 * size, one unit is one pixel in each direction.
 */
export const asSaved = (imageId: string, point: Vector): Vector => {
  const shape = known.get(instanceOf(imageId));
  return shape ? stretched(point, shape, 1 / shape.wide, 1 / shape.tall) : point;
};

/** Converts a saved point to the coordinates in which the imaging library draws it. */
export const asDrawn = (imageId: string, point: Vector): Vector => {
  const shape = known.get(instanceOf(imageId));
  return shape ? stretched(point, shape, shape.wide, shape.tall) : point;
};
