import { instanceOf } from './instance-of.ts';
import { type DicomJson, tag, textOf } from './dicom-json.ts';
import { suvOf } from './suv.ts';

/** The factor of each instance of a PET series that was read; undefined where there is none. */
const factors = new Map<string, number | undefined>();

/** Works out what makes uptake of the pixels of a series, if it is one of PET. */
export const learnUptake = (images: readonly { imageId: string; header: DicomJson }[]) => {
  if (images.length === 0 || images.some(({ header }) => textOf(header, tag.Modality) !== 'PT')) return;
  const suv = suvOf(images.map(({ header }) => header));
  for (const { imageId } of images) factors.set(instanceOf(imageId), 'factor' in suv ? suv.factor : undefined);
};

/** What makes uptake of the pixels of an image; undefined where nobody has read its series, or it is none of PET. */
export const uptakeOf = (imageId: string): { factor: number | undefined } | undefined => {
  const instance = instanceOf(imageId);
  return factors.has(instance) ? { factor: factors.get(instance) } : undefined;
};
