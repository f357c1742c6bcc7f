import { paddingRange, type ValueRange } from '@radwork/dicom/value-window';
import { type DicomJson, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';

/** Attributes of the padding of floating-point pixels (PS3.3 §C.7.6.24, §C.7.6.25). */
const ofFloats = [
  [tag.FloatPixelPaddingValue, tag.FloatPixelPaddingRangeLimit],
  [tag.DoubleFloatPixelPaddingValue, tag.DoubleFloatPixelPaddingRangeLimit],
] as const;

/** Returns the range of stored values that mean "no pixel here" (PS3.3 §C.7.5.1.1.2). Undefined without padding. */
export const paddingOf = (header: DicomJson): ValueRange | undefined => {
  const bitsStored = numberOf(header, tag.BitsStored);
  if (bitsStored === undefined) {
    for (const [valueTag, limitTag] of ofFloats) {
      const value = numberOf(header, valueTag);
      const limit = numberOf(header, limitTag) ?? value;
      if (value !== undefined && limit !== undefined) return [Math.min(value, limit), Math.max(value, limit)];
    }
    return undefined;
  }
  const value = numberOf(header, tag.PixelPaddingValue);
  if (value === undefined) return undefined;
  const isSigned = numberOf(header, tag.PixelRepresentation) === 1;
  return paddingRange(value, numberOf(header, tag.PixelPaddingRangeLimit) ?? value, { bitsStored, isSigned });
};

const known = new Map<string, ValueRange>();

/** Records the padding of an image. */
export const learnPadding = (imageId: string, header: DicomJson) => {
  const range = paddingOf(header);
  if (range) known.set(instanceOf(imageId), range);
};

/** Returns the padding of an image, in stored values. */
export const paddingOfImage = (imageId: string): ValueRange | undefined => known.get(instanceOf(imageId));
