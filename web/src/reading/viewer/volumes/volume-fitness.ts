import { plural, t } from '@lingui/core/macro';
import { locale } from '#core/language.ts';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import {
  between,
  depthOf,
  dot,
  type ImagePlane,
  normalOf,
  numbersOfFrame,
  plus,
  times,
} from '#reading/viewer/images/geometry/image-plane.ts';
import { modalityTableItem } from '#reading/viewer/images/gray/lookup-tables.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';

/** Voxel grid of a series: dimensions and spacing in mm. */
export type VolumeGrid = {
  columns: number;
  rows: number;
  slices: number;
  /** Spacing in mm of columns, rows and slices. */
  spacing: readonly [across: number, down: number, through: number];
};

/** Whether planes in any direction can be cut through a series. If not, the reason, which names the images. */
export type VolumeFitness = { isFit: true; grid: VolumeGrid } | { isFit: false; reason: string };

type WithPlane = SeriesImage & { plane: ImagePlane };

const fewest = 3;

/** Tolerance of directions, relative to their length. At 250 mm from the center, it allows an error of 0.5 mm. */
const sameDirection = 0.002;

/** Largest distance between slices at the same position, in mm. */
const samePlace = 0.01;

/**
 * Tolerance of slice positions, compared with even spacing, in mm. Planes assume even spacing, so a length across two
 * such slices is wrong by at most 0.2 mm. Positions rounded to 0.1 mm are accepted.
 */
const offGrid = 0.1;

/**
 * Returns whether a series can form a volume, judged by its headers. It needs parallel, aligned slices of the same size
 * with even spacing.
 */
export const volumeFitness = (images: readonly SeriesImage[]): VolumeFitness => {
  const positioned = images.filter((image): image is WithPlane => image.plane !== undefined);
  const reason =
    reasonOfPictures(images) ??
    reasonOfSizes(images) ??
    reasonOfPlaces(images, positioned) ??
    reasonOfDirections(positioned) ??
    reasonOfStack(inDepth(positioned));
  return reason === undefined ? { isFit: true, grid: gridOf(inDepth(positioned)) } : { isFit: false, reason };
};

const reasonOfPictures = (images: readonly SeriesImage[]): string | undefined => {
  const isColour = ({ header }: SeriesImage) =>
    (numberOf(header, tag.SamplesPerPixel) ?? 1) > 1 ||
    textOf(header, tag.PhotometricInterpretation) === 'PALETTE COLOR';
  if (images.some(isColour)) return t`The images are in color. A volume needs grayscale images.`;
  // Refuses images whose lowest values are brightest. The imaging library would draw a negative, and a MIP would show
  // dark tissue.
  const negatives = images.filter(({ header }) => isNegative(header));
  if (negatives.length > 0) {
    const names = namesOf(negatives);
    return t`Stored with inverted grayscale, which a volume would show wrongly: ${names}.`;
  }
  const throughTables = images.filter(({ header }) => modalityTableItem(header));
  if (throughTables.length > 0) {
    const names = namesOf(throughTables);
    return t`Values use a modality LUT, which a volume cannot hold: ${names}.`;
  }
  if (images.length >= fewest) return undefined;
  const count = images.length;
  return t`The series has ${plural(count, { one: '# image', other: '# images' })}. A volume needs at least ${fewest} slices.`;
};

/** Returns whether the lowest value is the brightest, also if only the presentation says so (PS3.3 §C.11.6). */
const isNegative = (header: DicomJson): boolean =>
  textOf(header, tag.PhotometricInterpretation) === 'MONOCHROME1' ||
  textOf(header, tag.PresentationLUTShape) === 'INVERSE';

const sizeOf = ({ header }: SeriesImage): string =>
  `${numberOf(header, tag.Columns) ?? 0} × ${numberOf(header, tag.Rows) ?? 0}`;

const spacingOf = ({ header, frame }: SeriesImage): readonly [down: number, across: number] => {
  const [down = 0, across = down] = numbersOfFrame(header, frame, tag.PixelMeasuresSequence, tag.PixelSpacing);
  return [down, across];
};

/** Rounds to 0.0001 mm, which is 0.1 mm over a thousand pixels. */
const pixelOf = (image: SeriesImage): string =>
  spacingOf(image)
    .map((millimetres) => String(Number(millimetres.toFixed(4))))
    .join(' × ');

const reasonOfSizes = (images: readonly SeriesImage[]): string | undefined => {
  const otherSize = oddOnes(images, sizeOf);
  if (otherSize) {
    const { theirs, usual } = otherSize;
    const names = namesOf(otherSize.odd);
    return t`Image sizes differ: ${theirs} pixels in ${names}, ${usual} in the others.`;
  }
  const withoutSpacing = images.filter((image) => spacingOf(image).some((millimetres) => !(millimetres > 0)));
  if (withoutSpacing.length > 0) {
    const names = namesOf(withoutSpacing);
    return t`No pixel spacing in ${names}.`;
  }
  const otherPixels = oddOnes(images, pixelOf);
  if (!otherPixels) return undefined;
  const { theirs, usual } = otherPixels;
  const names = namesOf(otherPixels.odd);
  return t`Pixel spacing differs: ${theirs} mm in ${names}, ${usual} mm in the others.`;
};

const reasonOfPlaces = (images: readonly SeriesImage[], positioned: readonly WithPlane[]): string | undefined => {
  const unplaced = images.filter(({ plane }) => plane === undefined);
  if (unplaced.length > 0) {
    const names = namesOf(unplaced);
    return t`No patient position in ${names}.`;
  }
  const frameOf = ({ header }: SeriesImage) => textOf(header, tag.FrameOfReferenceUID);
  if (positioned.some((image) => frameOf(image) === '')) return t`The series has no frame of reference.`;
  const elsewhere = oddOnes(positioned, frameOf);
  if (!elsewhere) return undefined;
  const names = namesOf(elsewhere.odd);
  return t`The frame of reference differs from the other images: ${names}.`;
};

const isAlike = (one: ImagePlane, other: ImagePlane): boolean =>
  Math.hypot(...between(one.along, other.along)) < sameDirection &&
  Math.hypot(...between(one.down, other.down)) < sameDirection;

const reasonOfDirections = (positioned: readonly WithPlane[]): string | undefined => {
  const kinds: WithPlane[][] = [];
  for (const image of positioned) {
    const kind = kinds.find(([first]) => first && isAlike(first.plane, image.plane));
    if (kind) kind.push(image);
    else kinds.push([image]);
  }
  const [usual = [], ...others] = kinds.toSorted((one, other) => other.length - one.length);
  if (others.length > 0) {
    const names = namesOf(others.flat());
    return t`The orientation differs from the other images: ${names}.`;
  }
  const isSquare = ({ plane: { along, down } }: WithPlane) =>
    Math.abs(dot(along, down)) < sameDirection &&
    [along, down].every((direction) => Math.abs(Math.hypot(...direction) - 1) < sameDirection);
  return usual.every(isSquare) ? undefined : t`Rows and columns are not at right angles.`;
};

/** Sorts slices by their position along the normal. */
const inDepth = (positioned: readonly WithPlane[]): WithPlane[] =>
  positioned.toSorted((one, other) => depthOf(one.plane) - depthOf(other.plane));

/** Returns the reason why parallel slices do not form an even stack. */
const reasonOfStack = (slices: readonly WithPlane[]): string | undefined =>
  reasonOfRepeats(slices) ?? reasonOfGaps(slices) ?? reasonOfShifts(slices);

const stepsOf = (slices: readonly WithPlane[]) =>
  slices.slice(1).flatMap((after, index) => {
    const before = slices[index];
    return before ? [{ before, after, height: depthOf(after.plane) - depthOf(before.plane) }] : [];
  });

const reasonOfRepeats = (slices: readonly WithPlane[]): string | undefined => {
  const repeat = stepsOf(slices).find(({ height }) => height < samePlace);
  if (!repeat) return undefined;
  const depth = depthOf(repeat.before.plane);
  const slicesThere = slices.filter(({ plane }) => Math.abs(depthOf(plane) - depth) < samePlace);
  const names = namesOf(slicesThere);
  return t`Several images at the same position (phases, echoes or weightings): ${names}.`;
};

const reasonOfGaps = (slices: readonly WithPlane[]): string | undefined => {
  const steps = stepsOf(slices);
  const usual = medianOf(steps.map(({ height }) => height));
  const gaps = steps.flatMap(({ before, after, height }) => {
    const missing = Math.round(height / usual) - 1;
    const isWhole = Math.abs(height - (missing + 1) * usual) < 2 * offGrid;
    const names = namesOf([before, after]);
    return missing > 0 && isWhole ? [{ missing, where: t`between ${names}` }] : [];
  });
  if (gaps.length > 0) {
    const count = gaps.reduce((sum, { missing }) => sum + missing, 0);
    const places = gaps.map(({ missing, where }) => (gaps.length > 1 ? `${missing} ${where}` : where)).join(', ');
    return t`${plural(count, { one: '# slice is missing', other: '# slices are missing' })}: ${places}.`;
  }
  const [first] = slices;
  const height = steps.reduce((sum, step) => sum + step.height, 0) / steps.length;
  const isOff = ({ plane }: WithPlane, index: number) =>
    first !== undefined && Math.abs(depthOf(plane) - depthOf(first.plane) - index * height) > offGrid;
  if (!slices.some(isOff)) return undefined;
  const worst = steps.toSorted((one, other) => Math.abs(other.height - usual) - Math.abs(one.height - usual))[0];
  if (!worst) return undefined;
  const usualGap = millimeters(usual);
  const worstGap = millimeters(worst.height);
  const names = namesOf([worst.before, worst.after]);
  return t`Slice spacing is uneven: usually ${usualGap}, but ${worstGap} between ${names}.`;
};

/**
 * Returns the reason for slices that are not aligned. A tilted gantry shifts all slices equally; an error shifts one
 * slice.
 */
const reasonOfShifts = (slices: readonly WithPlane[]): string | undefined => {
  const [first] = slices;
  const last = slices.at(-1);
  if (!first || !last) return undefined;
  const normal = normalOf(first.plane);
  const shiftOf = ({ plane }: WithPlane) => {
    const way = between(first.plane.position, plane.position);
    const height = dot(way, normal);
    return { height, way: plus(way, times(normal, -height)) };
  };
  const allowed = (height: number) => Math.max(offGrid, sameDirection * height);
  const shifted = slices.filter((slice) => {
    const { height, way } = shiftOf(slice);
    return Math.hypot(...way) > allowed(height);
  });
  if (shifted.length === 0) return undefined;
  const fullShift = shiftOf(last);
  const lean = times(fullShift.way, 1 / fullShift.height);
  const isLeaning = slices.every((slice) => {
    const { height, way } = shiftOf(slice);
    return Math.hypot(...between(times(lean, height), way)) <= allowed(height);
  });
  if (!isLeaning) {
    const names = namesOf(shifted);
    return t`Shifted sideways relative to the other images: ${names}.`;
  }
  const degrees = ((Math.atan(Math.hypot(...lean)) * 180) / Math.PI).toFixed(1);
  return t`The gantry was tilted by ${degrees}°, so the slices are not stacked at right angles.`;
};

const gridOf = (slices: readonly WithPlane[]): VolumeGrid => {
  const [first] = slices;
  const last = slices.at(-1);
  if (!first || !last) throw new Error('A volume has slices');
  const [down, across] = spacingOf(first);
  const through = (depthOf(last.plane) - depthOf(first.plane)) / (slices.length - 1);
  return {
    columns: numberOf(first.header, tag.Columns) ?? 0,
    rows: numberOf(first.header, tag.Rows) ?? 0,
    slices: slices.length,
    spacing: [across, down, through],
  };
};

/** Returns the median. For an even count, returns the smaller of the two middle numbers. */
const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0;

const millimeters = (length: number): string => `${length.toFixed(2).replace(/0$/, '')} mm`;

/** Returns the images whose text differs from the most frequent text. Undefined if all texts are equal. */
const oddOnes = <Image extends SeriesImage>(images: readonly Image[], textIn: (image: Image) => string) => {
  const groups = [...Map.groupBy(images, textIn)].toSorted(([, one], [, other]) => other.length - one.length);
  const [usual, ...others] = groups;
  const [odd] = others;
  return usual && odd ? { usual: usual[0], theirs: odd[0], odd: odd[1] } : undefined;
};

/** Maximum number of images that are named one by one. More images are only counted. */
const mostNamed = 6;

/** Whether loading the volume again can bring a missing slice. */
export const canLoadAgain = (failed: readonly { isForGood: boolean }[]): boolean =>
  failed.some(({ isForGood }) => !isForGood);

/** Returns names such as "image 7", "images 3, 5, and 9" or "frames 4 and 5". Names only the first of many images. */
export const namesOf = (images: readonly SeriesImage[]): string => {
  const isFrames = images.every(({ numberOfFrames }) => numberOfFrames > 1);
  const numberOfImage = ({ frame, instanceNumber }: SeriesImage) => (isFrames ? frame : instanceNumber);
  const numbers = images
    .map(numberOfImage)
    .toSorted((one = Infinity, other = Infinity) => one - other)
    .map((number) => String(number ?? '?'));
  const count = images.length;
  const more = count - mostNamed + 1;
  const shownNumbers = count > mostNamed ? [...numbers.slice(0, mostNamed - 1), t`${more} more`] : numbers;
  const list = new Intl.ListFormat(locale).format(shownNumbers);
  return isFrames
    ? t`${plural(count, { one: 'frame', other: 'frames' })} ${list}`
    : t`${plural(count, { one: 'image', other: 'images' })} ${list}`;
};
