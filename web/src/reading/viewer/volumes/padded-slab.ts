import { type DicomJson, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { paddingOf } from '#reading/viewer/images/values/padding.ts';
import type { Slab } from './slab.ts';

/** Middle of the range of stored values. Values of floating-point pixels lie around 0. */
const middleOf = (header: DicomJson): number => {
  const bits = numberOf(header, tag.BitsStored);
  return bits === undefined || numberOf(header, tag.PixelRepresentation) === 1 ? 0 : 2 ** (bits - 1);
};

/**
 * Whether padding of an image would show in a slab through it. The graphics card does not know which values are padding:
 * a maximum shows high padding, a minimum shows low padding, and an average mixes it in.
 */
export const showsPadding = (header: DicomJson, { kind, thickness }: Slab): boolean => {
  const padding = paddingOf(header);
  if (!padding || thickness <= 0) return false;
  if (kind === 'average') return true;
  const isFalling = (numberOf(header, tag.RescaleSlope) ?? 1) < 0;
  const isLow = padding[0] <= middleOf(header) !== isFalling;
  return isLow === (kind === 'minimum');
};
