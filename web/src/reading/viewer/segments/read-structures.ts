import { plural, t } from '@lingui/core/macro';
import { formatNumber } from '#ui/formats/formats.ts';
import { type DicomJson, itemsOf, numberOf, numbersOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { colorOfRgb, spareColor } from './color.ts';
import { codeLabel, referencesIn, titleOf } from './image-references.ts';
import type { Contour, Region, SegmentSet, SeriesLocation } from './segment-set.ts';

/** Maximum number of points drawn per object. More would need too much memory and time. */
export const mostPoints = 2_000_000;

/** Long values by their address in the header. Null for a value over the size limit. */
export type LongValues = ReadonlyMap<string, string | null>;

/** Returns the addresses of contours that are too long for the header. */
export const longContours = (header: DicomJson): string[] =>
  itemsOf(header, tag.ROIContourSequence)
    .flatMap((region) => itemsOf(region, tag.ContourSequence))
    .flatMap((contour) => contour[tag.ContourData]?.BulkDataURI ?? []);

const kinds: Record<string, Contour['kind']> = {
  CLOSED_PLANAR: 'closed',
  CLOSEDPLANAR_XOR: 'closed',
  OPEN_PLANAR: 'open',
  POINT: 'point',
};

/** Returns the number of values in a text (PS3.5 §6.2). */
export const countValues = (text: string): number => {
  let count = 1;
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 1)) count += 1;
  return count;
};

const numberIn = (value: unknown): number =>
  typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);

/** Parses number by number, because splitting the text would need many times its memory. */
const numbersInText = (text: string): Float64Array => {
  const numbers = new Float64Array(countValues(text));
  let start = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const end = text.indexOf('\\', start);
    numbers[at] = numberIn(text.slice(start, end === -1 ? undefined : end));
    start = end + 1;
  }
  return numbers;
};

/** Returns the coordinates of a contour. Undefined if a number is missing or invalid, or if the count is wrong. */
const coordinatesOf = (contour: DicomJson, long: LongValues): Float64Array | undefined => {
  const element = contour[tag.ContourData];
  const text = long.get(element?.BulkDataURI ?? '');
  if (text === null) return undefined;
  const numbers = text === undefined ? Float64Array.from(element?.Value ?? [], numberIn) : numbersInText(text);
  const declared = numberOf(contour, tag.NumberOfContourPoints);
  const isWhole = numbers.length > 0 && numbers.length % 3 === 0 && numbers.every(Number.isFinite);
  return isWhole && (declared === undefined || declared * 3 === numbers.length) ? numbers : undefined;
};

/** Returns the contours per region number. Some programs split a region into several items. */
const contouredIn = (header: DicomJson): ReadonlyMap<number | undefined, DicomJson> => {
  const items = Map.groupBy(itemsOf(header, tag.ROIContourSequence), (item) => numberOf(item, tag.ReferencedROINumber));
  return new Map(
    [...items].map(([number, all]) => {
      const contours = all.flatMap((item) => itemsOf(item, tag.ContourSequence));
      const coloured = all.find((item) => colorOfRgb(numbersOf(item, tag.ROIDisplayColor)));
      return [number, { ...(coloured ?? all[0]), [tag.ContourSequence]: { vr: 'SQ', Value: contours } }];
    }),
  );
};

type ReadResult = { contours: Contour[]; lacks: Map<string, number> };

const readContours = (region: DicomJson, long: LongValues): ReadResult => {
  const lacks = new Map<string, number>();
  const lacking = (reason: string) => void lacks.set(reason, (lacks.get(reason) ?? 0) + 1);
  const contours = itemsOf(region, tag.ContourSequence).flatMap((contour): Contour[] => {
    const type = textOf(contour, tag.ContourGeometricType);
    const kind = kinds[type];
    const isTooLong = long.get(contour[tag.ContourData]?.BulkDataURI ?? '') === null;
    const points = kind && coordinatesOf(contour, long);
    if (isTooLong) lacking(t`too long`);
    else if (!kind) lacking(type ? t`unsupported type ${type}` : t`no type`);
    else if (!points) lacking(t`incomplete points`);
    if (!kind || !points) return [];
    const references = referencesIn(contour, tag.ContourImageSequence);
    return [{ kind, isExclusive: type === 'CLOSEDPLANAR_XOR', points, references }];
  });
  return { contours, lacks };
};

const lackOf = ({ contours, lacks }: ReadResult): string => {
  if (contours.length === 0 && lacks.size === 0) return t`It has no contours.`;
  return [...lacks]
    .map(([reason, count]) => t`${plural(count, { one: '# contour', other: '# contours' })} not drawn: ${reason}.`)
    .join(' ');
};

const pointsIn = (reads: Iterable<ReadResult>): number => {
  let count = 0;
  for (const { contours } of reads) for (const { points } of contours) count += points.length / 3;
  return count;
};

const tooManyPoints = (points: number): string => {
  const [count, most] = [formatNumber(points), formatNumber(mostPoints)];
  return t`It has ${count} points. At most ${most} can be drawn.`;
};

/** Reads a structure set (PS3.3 §C.8.8.5, C.8.8.6). `long` holds the contours stored outside the header. */
export const readStructures = (header: DicomJson, where: SeriesLocation, long: LongValues): SegmentSet => {
  const sopInstanceUID = textOf(header, tag.SOPInstanceUID);
  const contouredByNumber = contouredIn(header);
  const rois = itemsOf(header, tag.StructureSetROISequence).map((roi, index) => {
    const number = numberOf(roi, tag.ROINumber) ?? index + 1;
    const contoured = contouredByNumber.get(number) ?? {};
    const read = readContours(contoured, long);
    const region: Region = {
      key: `${sopInstanceUID} ${number}`,
      number,
      name: textOf(roi, tag.ROIName) || t`ROI ${number}`,
      words: codeLabel(textOf(roi, tag.ROIGenerationAlgorithm)),
      color: colorOfRgb(numbersOf(contoured, tag.ROIDisplayColor)) ?? spareColor(index),
      lack: lackOf(read),
    };
    const frameOfReference = textOf(roi, tag.ReferencedFrameOfReferenceUID) || textOf(header, tag.FrameOfReferenceUID);
    return { region, read, frameOfReference };
  });
  const points = pointsIn(rois.map(({ read }) => read));
  const isTooMuch = points > mostPoints;
  return {
    ...where,
    sopInstanceUID,
    title: titleOf(header, textOf(header, tag.StructureSetLabel) || t`Structure set`),
    kind: t`Contours`,
    patientId: textOf(header, tag.PatientID),
    frameOfReference: rois[0]?.frameOfReference ?? '',
    madeOn: [],
    regions: rois.map(({ region }) => region),
    ...(!isTooMuch && {
      outlines: new Map(
        rois.map(({ region, read: { contours }, frameOfReference }) => [region.number, { frameOfReference, contours }]),
      ),
    }),
    lack: isTooMuch ? tooManyPoints(points) : '',
  };
};
