import { t } from '@lingui/core/macro';
import { colorOfLab } from '@radwork/dicom/cielab';
import { formatNumber } from '#ui/formats/formats.ts';
import {
  type DicomJson,
  itemsOf,
  numberOf,
  numbersOf,
  type Tag,
  tag,
  textOf,
} from '#reading/viewer/images/header/dicom-json.ts';
import { dot, normalOf, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { spareColor } from './color.ts';
import { codeLabel, referencesIn, titleOf } from './image-references.ts';
import type { MaskFrame, Masks, Region, SegmentSet, SeriesLocation } from './segment-set.ts';

/** Maximum number of frames. A longer list of frames would block a browser. */
export const mostFrames = 50_000;

/** Distance to both sides at which a frame without a thickness is drawn, in mm. */
const reachUnsaid = 0.5;

/** Largest distance between frames at the same position, in mm. */
const onePlace = 0.01;

const vectorOf = ([left, posterior, superior]: readonly number[]): Vector | undefined =>
  left === undefined || posterior === undefined || superior === undefined ? undefined : [left, posterior, superior];

/** Returns whether two vectors are perpendicular and of unit length, as the axes of an image must be. */
const areAxes = (along: Vector, down: Vector): boolean =>
  Math.abs(dot(along, along) - 1) < 1e-3 && Math.abs(dot(down, down) - 1) < 1e-3 && Math.abs(dot(along, down)) < 1e-3;

const says = (item: DicomJson, attribute: Tag): boolean => (item[attribute]?.Value ?? []).length > 0;

/**
 * Returns the numbers of a frame: its own, or else those shared by all frames (PS3.3 §C.7.6.16). Undefined if there are
 * none.
 */
const valueIn = (groups: readonly DicomJson[], sequence: Tag, attribute: Tag): number[] | undefined => {
  const item = groups.flatMap((group) => itemsOf(group, sequence)).find((one) => says(one, attribute));
  return item && numbersOf(item, attribute);
};

const itemOf = (groups: readonly DicomJson[], sequence: Tag): DicomJson[] =>
  groups.map((group) => itemsOf(group, sequence)).find((items) => items.length > 0) ?? [];

type Grid = { rows: number; columns: number; frameOfReference: string };

/** Returns the position of a frame. `hasPosition` is true even if the position is incomplete or impossible. */
const placeOfFrame = (groups: readonly DicomJson[], grid: Grid): Pick<MaskFrame, 'slice' | 'hasPosition'> => {
  const saidPosition = valueIn(groups, tag.PlanePositionSequence, tag.ImagePositionPatient);
  const saidOrientation = valueIn(groups, tag.PlaneOrientationSequence, tag.ImageOrientationPatient);
  const hasPosition = saidPosition !== undefined || saidOrientation !== undefined;
  const position = vectorOf(saidPosition ?? []);
  const [along, down] = [vectorOf(saidOrientation?.slice(0, 3) ?? []), vectorOf(saidOrientation?.slice(3, 6) ?? [])];
  const [rowSpacing = 0, columnSpacing = 0] = valueIn(groups, tag.PixelMeasuresSequence, tag.PixelSpacing) ?? [];
  const isUsable = along && down && areAxes(along, down) && rowSpacing > 0 && columnSpacing > 0;
  const slice = position && isUsable ? { ...grid, position, along, down, rowSpacing, columnSpacing } : undefined;
  return { slice, hasPosition };
};

const frameOf = (own: DicomJson, shared: DicomJson, number: number, grid: Grid): MaskFrame => {
  const groups = [own, shared];
  const [identification = {}] = itemOf(groups, tag.SegmentIdentificationSequence);
  return {
    number,
    segment: numberOf(identification, tag.ReferencedSegmentNumber),
    ...placeOfFrame(groups, grid),
    references: itemOf(groups, tag.DerivationImageSequence).flatMap((item) =>
      referencesIn(item, tag.SourceImageSequence),
    ),
  };
};

/** Returns the origin of a segment as stated in the object. */
const originOf = (segment: DicomJson): string => {
  const type = textOf(segment, tag.SegmentAlgorithmType);
  const name = textOf(segment, tag.SegmentAlgorithmName);
  return [codeLabel(type), type === 'MANUAL' ? '' : name].filter(Boolean).join(': ');
};

const regionOf = (segment: DicomJson, index: number, sopInstanceUID: string): Region => {
  const number = numberOf(segment, tag.SegmentNumber) ?? index + 1;
  const [type = {}] = itemsOf(segment, tag.SegmentedPropertyTypeCodeSequence);
  return {
    key: `${sopInstanceUID} ${number}`,
    number,
    name: textOf(segment, tag.SegmentLabel) || t`Segment ${number}`,
    words: [textOf(type, tag.CodeMeaning), originOf(segment)].filter(Boolean).join(' · '),
    color: colorOfLab(numbersOf(segment, tag.RecommendedDisplayCIELabValue)) ?? spareColor(index),
    lack: '',
  };
};

/** Returns the segments, each number once. Leaves out the background of a label map. */
const regionsOf = (header: DicomJson, type: string): Region[] => {
  const uid = textOf(header, tag.SOPInstanceUID);
  const backgrounds = type === 'LABELMAP' ? [0, ...numbersOf(header, tag.PixelPaddingValue)] : [];
  const regions = itemsOf(header, tag.SegmentSequence).map((segment, index) => regionOf(segment, index, uid));
  const byNumber = new Map(regions.map((region) => [region.number, region]));
  return [...byNumber.values()].filter(({ number }) => !backgrounds.includes(number));
};

const isKnown = (type: string): type is Masks['type'] => ['BINARY', 'FRACTIONAL', 'LABELMAP'].includes(type);

/** Returns the reason why a segmentation cannot be shown. Empty if it can. */
const lackOf = (header: DicomJson, type: string, frames: number): string => {
  const bits = numberOf(header, tag.BitsAllocated);
  const expected = { BINARY: [1], FRACTIONAL: [8], LABELMAP: [8, 16] };
  if (type === '') return t`The segmentation type is missing.`;
  if (!isKnown(type)) return t`The segmentation type ${type} is not supported.`;
  if (bits === undefined) return t`The number of bits per pixel is missing.`;
  if (!expected[type].includes(bits)) return t`The segmentation type does not allow ${bits} bits per pixel.`;
  const [count, most] = [formatNumber(frames), formatNumber(mostFrames)];
  if (frames > mostFrames) return t`It has ${count} frames. At most ${most} can be shown.`;
  if (frames === 0) return t`It has no frames.`;
  return '';
};

/**
 * Returns the smallest distance between frames, which are assumed to be parallel, in mm. Infinity if there are no two
 * positions.
 */
const gapOf = (frames: readonly MaskFrame[]): number => {
  const slices = frames.flatMap(({ slice }) => slice ?? []);
  const [first] = slices;
  if (!first) return Infinity;
  const normal = normalOf(first);
  const depths = slices.map(({ position }) => dot(position, normal)).toSorted((one, other) => one - other);
  const gaps = depths.slice(1).map((depth, index) => depth - (depths[index] ?? depth));
  return gaps.reduce((smallest, gap) => (gap > onePlace ? Math.min(smallest, gap) : smallest), Infinity);
};

/**
 * Returns the distance to both sides at which frames are drawn, in mm. This is half the spacing, if given. Otherwise it
 * is half the thickness or half the smallest gap, whichever is smaller. Thick frames would hide omitted empty frames
 * (PS3.3 §C.7.6.16.2.1). A gap can be too large, because frames may be missing.
 */
const reachOf = (shared: DicomJson, first: DicomJson, frames: readonly MaskFrame[]): number => {
  const lengthOf = (attribute: Tag): number =>
    Math.abs(valueIn([shared, first], tag.PixelMeasuresSequence, attribute)?.[0] ?? 0);
  const spacing = lengthOf(tag.SpacingBetweenSlices);
  if (spacing > 0) return spacing / 2;
  const thickness = lengthOf(tag.SliceThickness);
  return Math.min(thickness > 0 ? thickness / 2 : reachUnsaid, gapOf(frames) / 2);
};

const masksOf = (header: DicomJson, type: Masks['type']): Masks => {
  const [rows, columns] = [numberOf(header, tag.Rows) ?? 0, numberOf(header, tag.Columns) ?? 0];
  const own = itemsOf(header, tag.PerFrameFunctionalGroupsSequence);
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const grid = { rows, columns, frameOfReference: textOf(header, tag.FrameOfReferenceUID) };
  const frames = own.map((group, index) => frameOf(group, shared, index + 1, grid));
  return {
    type,
    rows,
    columns,
    bitsAllocated: numberOf(header, tag.BitsAllocated) ?? 0,
    maximum: numberOf(header, tag.MaximumFractionalValue) || 255,
    reach: reachOf(shared, own[0] ?? {}, frames),
    frames,
  };
};

const kinds: Record<string, string> = { PROBABILITY: t`Probability`, OCCUPANCY: t`Occupancy` };

const kindOf = (header: DicomJson, type: string): string =>
  type === 'FRACTIONAL' ? (kinds[textOf(header, tag.SegmentationFractionalType)] ?? t`Fractional`) : codeLabel(type);

/** Reads a segmentation without pixels from its header (PS3.3 §C.8.20). */
export const readSegmentation = (header: DicomJson, where: SeriesLocation): SegmentSet => {
  const type = textOf(header, tag.SegmentationType);
  const frames = header[tag.PerFrameFunctionalGroupsSequence]?.Value?.length ?? 0;
  const lack = lackOf(header, type, frames);
  return {
    ...where,
    sopInstanceUID: textOf(header, tag.SOPInstanceUID),
    title: titleOf(header, t`Segmentation`),
    kind: kindOf(header, type),
    patientId: textOf(header, tag.PatientID),
    frameOfReference: textOf(header, tag.FrameOfReferenceUID),
    madeOn: itemsOf(header, tag.ReferencedSeriesSequence).flatMap((item) => textOf(item, tag.SeriesInstanceUID) || []),
    regions: regionsOf(header, type),
    ...(isKnown(type) && !lack && { masks: masksOf(header, type) }),
    lack,
  };
};
