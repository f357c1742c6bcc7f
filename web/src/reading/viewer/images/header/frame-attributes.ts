import { type DicomJson, itemsOf, numberOf, type Tag, tag } from './dicom-json.ts';

/** Attributes by the functional group that contains them in enhanced images (PS3.3 §C.7.6.16.2). */
const groups: readonly (readonly [group: Tag, attributes: readonly Tag[]])[] = [
  [tag.PlanePositionSequence, [tag.ImagePositionPatient]],
  [tag.PlaneOrientationSequence, [tag.ImageOrientationPatient]],
  [tag.PixelMeasuresSequence, [tag.PixelSpacing, tag.SliceThickness, tag.SpacingBetweenSlices]],
  [tag.PixelValueTransformationSequence, [tag.RescaleIntercept, tag.RescaleSlope, tag.RescaleType]],
  [
    tag.FrameVOILUTSequence,
    [tag.WindowCenter, tag.WindowWidth, tag.WindowCenterWidthExplanation, tag.VOILUTFunction, tag.VOILUTSequence],
  ],
];

const hasValue = (item: DicomJson, attribute: Tag): boolean =>
  item[attribute]?.Value?.some((value) => value !== null && value !== '') ?? false;

const originalHeaders = new WeakMap<DicomJson, DicomJson>();

/**
 * Copies the functional groups of an enhanced image with one frame to the top level, where they replace other values.
 * Other headers stay unchanged. Needed because the imaging library ignores the groups of a single frame. Without the
 * copy, it would draw the image at a wrong position and with unscaled values.
 */
export const withFrameAtTop = (header: DicomJson): DicomJson => {
  if ((numberOf(header, tag.NumberOfFrames) ?? 1) >= 2) return header;
  const [frame = {}] = itemsOf(header, tag.PerFrameFunctionalGroupsSequence);
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const lifted = groups.flatMap(([group, attributes]) => {
    const items = [...itemsOf(frame, group), ...itemsOf(shared, group)];
    return attributes.flatMap((attribute) => {
      const element = items.find((item) => hasValue(item, attribute))?.[attribute];
      return element ? [[attribute, element] as const] : [];
    });
  });
  if (lifted.length === 0) return header;
  const merged = { ...header, ...Object.fromEntries(lifted) };
  originalHeaders.set(merged, header);
  return merged;
};

/** Returns the header as stored in the file. */
export const asWritten = (header: DicomJson): DicomJson => originalHeaders.get(header) ?? header;
