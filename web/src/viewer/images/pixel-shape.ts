import { type DicomJson, numbersOf, tag } from './dicom-json.ts';
import { numbersOfFrame } from './image-plane.ts';
import { instanceOf } from './instance-of.ts';
import { isSize } from './usable-scale.ts';

/**
 * How tall and how wide the pixels of an image are in proportion, where they are no squares and nothing says how large
 * they are (PS3.3 §C.7.6.3.1.7): grabbed films of fluoroscopy and old ultrasound. The imaging library (5.14.0) goes by
 * sizes alone and draws them as squares.
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

const distorted = new Set<string>();

/** Remembers an image that is drawn in other proportions than it has. */
export const learnShape = (imageId: string, header: DicomJson) => {
  if (oddShapeOf(header)) distorted.add(instanceOf(imageId));
};

/** Whether an image is drawn in other proportions than it has, so that no angle on it is one. */
export const isDistorted = (imageId: string): boolean => distorted.has(instanceOf(imageId));
