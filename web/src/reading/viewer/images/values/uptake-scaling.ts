import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { suvOf } from './suv.ts';

/** SUV factor of each loaded PET instance. Undefined if the factor is unknown. */
const factors = new Map<string, number | undefined>();

/** Computes and records the SUV factor of a series if it is PET. */
export const learnUptake = (images: readonly { imageId: string; header: DicomJson }[]) => {
  if (images.length === 0 || images.some(({ header }) => textOf(header, tag.Modality) !== 'PT')) return;
  const suv = suvOf(images.map(({ header }) => header));
  for (const { imageId } of images) factors.set(instanceOf(imageId), 'factor' in suv ? suv.factor : undefined);
};

/** Returns the SUV factor of an image. Undefined if its series is not loaded or is not PET. */
export const uptakeOf = (imageId: string): { factor: number | undefined } | undefined => {
  const instance = instanceOf(imageId);
  return factors.has(instance) ? { factor: factors.get(instance) } : undefined;
};
