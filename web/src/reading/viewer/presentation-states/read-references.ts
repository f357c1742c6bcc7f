import { type DicomJson, itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import type { ImageReferences } from './image-references.ts';

/** Returns the numbers of an element. Some servers write them as text. */
export const numbersOf = (item: DicomJson, keyword: string): number[] =>
  valuesOf(item, keyword).map(Number).filter(Number.isFinite);

/** Merges references to images. A reference without frame numbers means all frames (PS3.3 §10.3). */
export const mergedImages = (all: Iterable<Iterable<readonly [string, readonly number[]]>>): ImageReferences => {
  const merged = new Map<string, number[]>();
  const wholeImages = new Set<string>();
  for (const images of all) {
    for (const [sopInstanceUID, frames] of images) {
      const referredFrames = merged.get(sopInstanceUID) ?? [];
      merged.set(sopInstanceUID, referredFrames);
      for (const frame of frames) referredFrames.push(frame);
      if (frames.length === 0) wholeImages.add(sopInstanceUID);
    }
  }
  for (const sopInstanceUID of wholeImages) merged.set(sopInstanceUID, []);
  return merged;
};

/** Returns the images in the Referenced Image Sequence of an item. Undefined if there are none. */
export const imagesOf = (item: DicomJson): ImageReferences | undefined => {
  const images = itemsOf(item, 'ReferencedImageSequence').map(
    (one) => [textOf(one, 'ReferencedSOPInstanceUID') ?? '', numbersOf(one, 'ReferencedFrameNumber')] as const,
  );
  return images.length > 0 ? mergedImages([images]) : undefined;
};
