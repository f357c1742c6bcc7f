import { type DicomJson, numbersOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { numbersOfFrame } from './image-plane.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import { regionsOf } from '#reading/viewer/images/header/ultrasound-regions.ts';
import { isSize } from '#reading/viewer/images/header/usable-scale.ts';

/**
 * Returns the aspect ratio of pixels that are not square and whose size is unknown (PS3.3 §C.7.6.3.1.7), as in captured
 * fluoroscopy and old ultrasound. The imaging library (5.14.0) uses only pixel sizes and draws such pixels as squares.
 */
export const oddShapeOf = (header: DicomJson): { tall: number; wide: number } | undefined => {
  const sizes = [
    numbersOfFrame(header, 1, tag.PixelMeasuresSequence, tag.PixelSpacing),
    numbersOf(header, tag.ImagerPixelSpacing),
  ];
  const [tall = 1, wide = 1] = numbersOf(header, tag.PixelAspectRatio);
  const isSquare = tall === wide || !(tall > 0) || !(wide > 0);
  return isSquare || sizes.some(isSize) ? undefined : { tall, wide };
};

/**
 * Returns the shape of pixels of ultrasound without a pixel size, from the scale of its tissue (PS3.3 §C.8.5.5).
 * Undefined for square pixels, and if the regions disagree. The viewer draws such pixels as squares; measurements use
 * the regions.
 */
export const shapeInRegions = (header: DicomJson): { tall: number; wide: number } | undefined => {
  const isSized = isSize(numbersOfFrame(header, 1, tag.PixelMeasuresSequence, tag.PixelSpacing));
  const [first, ...others] = regionsOf(header)
    .filter(({ kind, x, y }) => kind === 'tissue' && x.unit === 'cm' && y.unit === 'cm')
    .map(({ x, y }) => ({ tall: Math.abs(y.perPixel), wide: Math.abs(x.perPixel) }));
  if (isSized || !first) return undefined;
  const ratio = first.tall / first.wide;
  const isAlike = others.every(({ tall, wide }) => Math.abs(tall / wide / ratio - 1) < 0.01);
  if (!isAlike || Math.abs(ratio - 1) < 0.01) return undefined;
  const shorter = Math.min(first.tall, first.wide);
  const rounded = (length: number) => Number((length / shorter).toFixed(2));
  return { tall: rounded(first.tall), wide: rounded(first.wide) };
};

const distorted = new Set<string>();

/** Records whether an image is drawn with wrong proportions. */
export const learnShape = (imageId: string, header: DicomJson) => {
  if (oddShapeOf(header)) distorted.add(instanceOf(imageId));
};

/** Whether an image is drawn with wrong proportions, so that its angles are wrong. */
export const isDistorted = (imageId: string): boolean => distorted.has(instanceOf(imageId));
