import { type DicomJson, numberOf, numbersOf, tag, textOf } from './dicom-json.ts';
import { type GreyRange, rangeOf } from './grey-window.ts';

/** How the numbers of an image lie in its frames, and how they become greys: nothing but a slope and a window. */
export type PlainGrey = {
  rows: number;
  columns: number;
  bits: 8 | 16;
  isSigned: boolean;
  /** The numbers that its stored bits can hold. */
  stored: GreyRange;
  /** What is measured is `slope` times the stored number plus `intercept` (PS3.3 §C.11.1.1.2). */
  slope: number;
  intercept: number;
  /** The first window of the file, in what is measured. */
  range: GreyRange;
};

/** Implicit and Explicit VR Little Endian (PS3.5 §A.1, A.2): the numbers as they are. */
const uncompressed = ['1.2.840.10008.1.2', '1.2.840.10008.1.2.1'];

/** What makes greys of numbers in any other way, or sizes of pixels by frame. */
const others = [
  tag.ModalityLUTSequence,
  tag.VOILUTSequence,
  tag.SharedFunctionalGroupsSequence,
  tag.PerFrameFunctionalGroupsSequence,
] as const;

const isSquare = (header: DicomJson): boolean =>
  [tag.PixelSpacing, tag.ImagerPixelSpacing, tag.PixelAspectRatio].every((attribute) => {
    const [row, column] = numbersOf(header, attribute);
    return row === column;
  });

/** Whether numbers become greys by a line alone: no tables, no curve, no uptake, no overlay (groups 60xx). */
const isPlain = (header: DicomJson): boolean =>
  uncompressed.includes(textOf(header, tag.AvailableTransferSyntaxUID)) &&
  numberOf(header, tag.SamplesPerPixel) === 1 &&
  textOf(header, tag.PhotometricInterpretation) === 'MONOCHROME2' &&
  ['', 'LINEAR'].includes(textOf(header, tag.VOILUTFunction)) &&
  ['', 'IDENTITY'].includes(textOf(header, tag.PresentationLUTShape)) &&
  textOf(header, tag.Modality) !== 'PT' &&
  isSquare(header) &&
  !others.some((attribute) => attribute in header) &&
  !Object.keys(header).some((attribute) => attribute.startsWith('60'));

/**
 * What is needed to draw an image without the imaging library: undefined for every image of which that needs more than a
 * slope and a window, and for those that do not say what they need.
 */
export const plainGreyOf = (header: DicomJson): PlainGrey | undefined => {
  const [rows = 0, columns = 0] = [numberOf(header, tag.Rows), numberOf(header, tag.Columns)];
  const bits = numberOf(header, tag.BitsAllocated);
  const [used = 0, high] = [numberOf(header, tag.BitsStored), numberOf(header, tag.HighBit)];
  const [center, width = 0] = [numberOf(header, tag.WindowCenter), numberOf(header, tag.WindowWidth)];
  if (!isPlain(header) || rows < 1 || columns < 1 || center === undefined || !(width > 1)) return undefined;
  if ((bits !== 8 && bits !== 16) || used < 1 || used > bits || high !== used - 1) return undefined;
  const isSigned = numberOf(header, tag.PixelRepresentation) === 1;
  // Signed bytes exist on paper only.
  if (isSigned && bits === 8) return undefined;
  const span = 2 ** used;
  return {
    rows,
    columns,
    bits,
    isSigned,
    stored: isSigned ? { lower: -span / 2, upper: span / 2 - 1 } : { lower: 0, upper: span - 1 },
    slope: numberOf(header, tag.RescaleSlope) ?? 1,
    intercept: numberOf(header, tag.RescaleIntercept) ?? 0,
    range: rangeOf({ width, center }),
  };
};
