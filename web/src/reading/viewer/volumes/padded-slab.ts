import type { Types } from '@cornerstonejs/core';
import { type DicomJson, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { drawnRange } from '#reading/viewer/images/values/counted-values.ts';
import { paddingOf, paddingOfImage } from '#reading/viewer/images/values/padding.ts';
import { type Slab, type SlabKind, slabKinds } from './slab.ts';
import { type SlabPadding, slabPaddingKey } from './slab-padding.ts';

/** Middle of the range of stored values. Values of floating-point pixels lie around 0. */
const middleOf = (header: DicomJson): number => {
  const bits = numberOf(header, tag.BitsStored);
  return bits === undefined || numberOf(header, tag.PixelRepresentation) === 1 ? 0 : 2 ** (bits - 1);
};

/** Whether padding of an image would change a projection: high padding a maximum, low padding a minimum. */
const changes = (header: DicomJson, kind: SlabKind): boolean => {
  const padding = paddingOf(header);
  if (!padding) return false;
  if (kind === 'average') return true;
  const isFalling = (numberOf(header, tag.RescaleSlope) ?? 1) < 0;
  const isLow = padding[0] <= middleOf(header) !== isFalling;
  return isLow === (kind === 'minimum');
};

const scaleOf = (header: DicomJson): string =>
  JSON.stringify([
    paddingOf(header),
    numberOf(header, tag.RescaleSlope),
    numberOf(header, tag.RescaleIntercept),
    // Tables are not compared.
    header[tag.ModalityLUTSequence] && header[tag.SOPInstanceUID],
  ]);

type WithHeader = { header: DicomJson };

/** Whether the same values are padding in all images of a volume. The graphics card can leave only such padding out. */
const isAlike = (images: readonly WithHeader[]): boolean =>
  new Set(images.map(({ header }) => scaleOf(header))).size <= 1;

/** Whether padding counts in a slab, because the images of the volume differ in their padding. */
export const countsPadding = (images: readonly WithHeader[], { kind, thickness }: Slab): boolean =>
  thickness > 0 && images.some(({ header }) => changes(header, kind)) && !isAlike(images);

/** Whether padding of any image is bright, so that a volume rendering draws it. */
export const hasHighPadding = (images: readonly WithHeader[]): boolean =>
  images.some(({ header }) => changes(header, 'maximum'));

/** Numbers of the projections in vtk.js. */
const slabTypes: Record<SlabKind, number> = { minimum: 0, maximum: 1, average: 2 };

/** Half of a step of stored values. The graphics card may change a value by less. */
const tolerance = 0.5;

/**
 * Leaves the padding of a volume out of its slabs. Call it with the first image that is loaded, because the image knows
 * how its values were scaled. Floating-point values have no steps.
 */
export const leavePaddingOut = (
  imageData: Pick<Types.IImageVolume['imageData'] & object, 'set'>,
  images: readonly WithHeader[],
  image: Types.IImage,
) => {
  const [first] = images;
  const padding = paddingOfImage(image.imageId);
  if (!first || !padding || !isAlike(images)) return;
  const margin = numberOf(first.header, tag.BitsStored) === undefined ? 0 : tolerance;
  const range = drawnRange([padding[0] - margin, padding[1] + margin], image, undefined);
  const changed = slabKinds.filter((kind) => changes(first.header, kind)).map((kind) => slabTypes[kind]);
  imageData.set({ [slabPaddingKey]: { range, slabTypes: changed } satisfies SlabPadding }, true, true);
};
