import { type DicomJson, itemsOf, numberOf, type Tag, tag } from './dicom-json.ts';

/** What is read at the top of a header, by the functional group that holds it in enhanced images (PS3.3 §C.7.6.16.2). */
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

const written = new WeakMap<DicomJson, DicomJson>();

/**
 * The header of an enhanced image of one frame with what its functional groups say of that frame at the top as well,
 * in the place of what stood there; other headers stay as they are. The imaging library reads no functional groups of
 * an image of one frame: it would lay it in a plane of its own and take its numbers as they are stored.
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
  const whole = { ...header, ...Object.fromEntries(lifted) };
  written.set(whole, header);
  return whole;
};

/** The header as it stands in the file. */
export const asWritten = (header: DicomJson): DicomJson => written.get(header) ?? header;
