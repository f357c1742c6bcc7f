import { type DicomJson, numberOf, numbersOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { hasFileLayers } from '#reading/viewer/images/header/file-layers.ts';
import { type GrayRange, rangeOf } from './gray-window.ts';

/** Format of stored values, and their conversion to gray by slope and window only. */
export type PlainGray = {
  rows: number;
  columns: number;
  bits: 8 | 16;
  isSigned: boolean;
  /** Value range of the stored bits. */
  stored: GrayRange;
  /** Measured value = `slope` x stored value + `intercept` (PS3.3 §C.11.1.1.2). */
  slope: number;
  intercept: number;
  /** First window in the file, in measured values. */
  range: GrayRange;
};

/** Uncompressed transfer syntaxes: Implicit and Explicit VR Little Endian (PS3.5 §A.1, A.2). */
const uncompressed = ['1.2.840.10008.1.2', '1.2.840.10008.1.2.1'];

/**
 * Attributes with lookup tables, or with values in functional groups. If one is present, slope and window at the top
 * level are not enough.
 */
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

/**
 * Whether slope and window are enough for the grays. False with tables, a curve, uptake or an overlay (groups 60xx).
 */
const isPlain = (header: DicomJson): boolean =>
  uncompressed.includes(textOf(header, tag.AvailableTransferSyntaxUID)) &&
  numberOf(header, tag.SamplesPerPixel) === 1 &&
  textOf(header, tag.PhotometricInterpretation) === 'MONOCHROME2' &&
  ['', 'LINEAR'].includes(textOf(header, tag.VOILUTFunction)) &&
  ['', 'IDENTITY'].includes(textOf(header, tag.PresentationLUTShape)) &&
  textOf(header, tag.Modality) !== 'PT' &&
  isSquare(header) &&
  !others.some((attribute) => attribute in header) &&
  !hasFileLayers(header) &&
  !Object.keys(header).some((attribute) => attribute.startsWith('60'));

/**
 * Returns the parameters to draw an image without the imaging library. Undefined if slope and window are not enough, or
 * if the header is incomplete.
 */
export const plainGrayOf = (header: DicomJson): PlainGray | undefined => {
  const [rows = 0, columns = 0] = [numberOf(header, tag.Rows), numberOf(header, tag.Columns)];
  const bits = numberOf(header, tag.BitsAllocated);
  const [used = 0, high] = [numberOf(header, tag.BitsStored), numberOf(header, tag.HighBit)];
  const [center, width = 0] = [numberOf(header, tag.WindowCenter), numberOf(header, tag.WindowWidth)];
  if (!isPlain(header) || rows < 1 || columns < 1 || center === undefined || !(width > 1)) return undefined;
  if ((bits !== 8 && bits !== 16) || used < 1 || used > bits || high !== used - 1) return undefined;
  const isSigned = numberOf(header, tag.PixelRepresentation) === 1;
  // Signed bytes are not supported, because no device writes them.
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
